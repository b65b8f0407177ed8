const dark = window.matchMedia("(prefers-color-scheme: dark)");
const colours = () => dark.matches
  ? ["#6db3ec", "#f0b849", "#6fcf97", "#ff8a80", "#c39bf0", "#7fd8d4", "#d0a37a", "#b0bec5"]
  : ["#0b62a8", "#b26a00", "#1a7340", "#b3261e", "#6b3fa0", "#00797a", "#7a5230", "#455a64"];
function theme(layout, height) {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim(), line = style.getPropertyValue("--line").trim();
  const axis = a => Object.assign({}, a, { title: Object.assign({ standoff: 8 }, a && a.title), gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true });
  const small = window.innerWidth < 560;
  // Words in a picture stand on the card's ground, not on lines.
  const annotations = (layout.annotations || []).map(a => Object.assign({}, a,
    { text: small ? a.text.split(":")[0] : a.text, bgcolor: style.getPropertyValue("--card").trim(), arrowcolor: ink, borderpad: 2, font: { size: small ? 10 : 12.5 } }));
  return Object.assign({}, layout, {
    annotations, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: ink, size: 12 },
    colorway: colours(), margin: { l: 50, r: 12, t: 8, b: 44 },
    // Below the axis title, whatever the height.
    legend: { orientation: "h", y: -78 / (height - 60), yanchor: "top", x: 0, font: { size: 11 } },
    hovermode: "closest", xaxis: axis(layout.xaxis), yaxis: axis(layout.yaxis), showlegend: true
  });
}
// Where there is little room, every third label.
function thinned(trace) {
  if (window.innerWidth >= 560 || trace.mode !== "text") return trace;
  return Object.assign({}, trace, { text: trace.text.map((t, i) => i % 3 ? "" : t), textfont: { size: 10 } });
}
function draw() {
  for (const [id, figure] of Object.entries(figures)) {
    Plotly.react(id, figure.data.map(thinned), theme(figure.layout || {}, document.getElementById(id).clientHeight), { responsive: true, displaylogo: false, displayModeBar: false });
  }
}
draw();
dark.addEventListener("change", draw);
// Paper is narrower than most screens, and a drawn chart keeps its size.
const sized = size => { for (const id of Object.keys(figures)) Plotly.relayout(id, size); };
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach(d => { d.open = true; });
  sized({ autosize: false, width: 640 });
});
window.addEventListener("afterprint", () => { sized({ autosize: true, width: undefined }); draw(); });
