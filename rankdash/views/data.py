import streamlit as st

st.write("Data")
