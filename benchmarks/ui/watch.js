// Notes when the page was painted last with something new on it. New is: other text, another path, place or size in a
// chart, another picture, other text on the canvas of a table. Drawing the same again, as frameworks do, is not; nor is
// what is hidden or what the browser does beside it (a class, a fading icon). The page is looked at after each frame
// that was touched.
(() => {
  const watch = { started: 0, touched: 0, painted: 0, expected: false, within: "", seen: "" };
  window.__watch = watch;
  const aside = "[data-testid=stStatusWidget], [data-testid=stHeader], [data-testid=stTooltipContent], canvas";
  const canvases = new Map(); // of each canvas, the text that was drawn last at each place
  const whole = "[data-testid=stMain], [role=dialog]"; // the last of these is on top
  const root = () => [...document.querySelectorAll(watch.within || whole)].at(-1);
  const look = () => {
    const page = root();
    if (!page) return "";
    const charts = [...page.querySelectorAll("svg")].filter((svg) => svg.checkVisibility());
    const drawn = charts.flatMap((svg) => [...svg.querySelectorAll("[d], [transform]")]).map(
      (node) => `${node.getAttribute("d")}${node.getAttribute("transform")}`);
    const images = [...page.querySelectorAll("img")].filter((image) => image.complete).map((image) => image.src);
    const tables = [...canvases].filter(([canvas]) => page.contains(canvas)).flatMap(([, texts]) => [...texts].sort());
    return [page.innerText, ...drawn, ...images, ...tables.map(([place, text]) => `${place} ${text}`)].join("\n");
  };
  const touch = () => {
    watch.touched = performance.now();
    if (watch.expected) return;
    watch.expected = true;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => {
        const now = performance.now();
        watch.expected = false;
        const seen = look();
        if (seen !== watch.seen) watch.painted = now;
        watch.seen = seen;
      };
      after.port2.postMessage(0);
    });
  };
  const element = (node) => (node.nodeType === 1 ? node : node.parentElement);
  const within = (node) => node.closest(whole) || node.querySelector("[role=dialog]"); // or it holds one
  const inPage = (node) => node && within(node) && !node.closest(aside);
  new MutationObserver((records) => {
    if (records.some((record) => inPage(element(record.target)))) touch();
  }).observe(document, {
    subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ["d", "transform", "points", "src"],
  });
  document.addEventListener("load", (event) => inPage(element(event.target)) && touch(), { capture: true });
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    const { canvas } = this;
    if (canvas.isConnected) {
      const { e, f } = this.getTransform();
      if (!canvases.has(canvas)) canvases.set(canvas, new Map());
      canvases.get(canvas).set([e + x, f + y].map(Math.round).join(), text);
      touch();
    }
    return draw.call(this, text, x, y, ...more);
  };
  watch.begin = (kind, within) => {
    watch.started = 0;
    watch.within = within && `.st-key-${within}`;
    watch.seen = look();
    window.addEventListener(kind, (event) => {
      watch.started = event.timeStamp;
      watch.painted = 0;
    }, { capture: true, once: true });
  };
  watch.quiet = (milliseconds) => {
    const app = document.querySelector(".stApp");
    return app && app.dataset.testScriptState === "notRunning" && !document.querySelector("[data-testid=stSkeleton]")
      && watch.painted > 0 && !watch.expected && performance.now() - watch.touched > milliseconds;
  };
})();
