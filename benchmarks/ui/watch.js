// Notes when the page was painted last. A change is: text or elements that come, go or differ; a path or a place in a
// chart; text drawn on the canvas of a table. What the browser does beside them (a class, a fading icon) is none.
(() => {
  const watch = { started: 0, changed: 0, any: 0, painted: 0, expected: false, within: "" };
  window.__watch = watch;
  const aside = "[data-testid=stStatusWidget], [data-testid=stHeader], [data-testid=stTooltipContent], canvas";
  const mark = (node) => {
    watch.any = performance.now();
    if (watch.within && !node.closest(watch.within)) return;
    watch.changed = watch.any;
    if (watch.expected) return;
    watch.expected = true;
    requestAnimationFrame(() => {
      watch.expected = false;
      const after = new MessageChannel();
      after.port1.onmessage = () => { watch.painted = performance.now(); };
      after.port2.postMessage(0);
    });
  };
  const element = (node) => (node.nodeType === 1 ? node : node.parentElement);
  const inPage = (node) => node && node.closest("[data-testid=stMain]") && !node.closest(aside);
  new MutationObserver((records) => {
    for (const record of records) {
      const node = element(record.target);
      if (inPage(node)) mark(node);
    }
  }).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["d", "transform", "points"],
  });
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...given) {
    if (this.canvas.isConnected) mark(this.canvas);
    return draw.apply(this, given);
  };
  watch.begin = (kind, within) => {
    watch.started = 0;
    watch.within = within && `.st-key-${within}`;
    window.addEventListener(kind, (event) => {
      watch.started = event.timeStamp;
      watch.changed = watch.painted = 0;
    }, { capture: true, once: true });
  };
  watch.quiet = (milliseconds) => {
    const app = document.querySelector(".stApp");
    return app && app.dataset.testScriptState === "notRunning" && !document.querySelector("[data-testid=stSkeleton]") && watch.changed > 0 && !watch.expected
      && watch.painted >= watch.changed && performance.now() - watch.any > milliseconds;
  };
})();
