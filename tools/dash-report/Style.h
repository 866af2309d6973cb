#pragma once

namespace dash::report {

/// The look of the page. What is drawn takes its colours from here: s0 is ours, s1 its twin.
constexpr const char* style = R"(
:root {
  color-scheme: light dark;
  --paper: #fcfcfb; --card: #ffffff; --ink: #1d2328; --soft: #5b6670; --grid: #dfe3e6;
  --s0: #1666b0; --s1: #b8560b; --s2: #6d7580; --s3: #7a4fb5;
  --good: #1b7f4d; --bad: #b3261e; --even: #6d7580; --bar: #b8560b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181b; --card: #1b2125; --ink: #e4e8eb; --soft: #9aa6af; --grid: #343d43;
    --s0: #6cb1f2; --s1: #f0a05a; --s2: #9aa6af; --s3: #b99cf0;
    --good: #5fcf97; --bad: #ff8f85; --even: #9aa6af; --bar: #f0a05a;
  }
}
body { margin: 0 auto; max-width: 1240px; padding: 24px 20px 80px; background: var(--paper);
       color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 44px 0 6px; }
h3 { font-size: 15px; margin: 0; }
p { margin: 4px 0 12px; max-width: 78ch; }
.soft { color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 18px 0; }
.tile { background: var(--card); border: 1px solid var(--grid); border-radius: 6px; padding: 10px 16px; }
.tile b { display: block; font-size: 22px; font-weight: 600; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(380px, 1fr)); gap: 14px; }
figure { margin: 0; background: var(--card); border: 1px solid var(--grid); border-radius: 6px;
         padding: 10px 12px 6px; min-width: 0; }
figcaption { color: var(--soft); font-size: 13px; margin-bottom: 6px; }
figure svg { width: 100%; height: auto; }
svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid var(--grid);
         vertical-align: middle; white-space: nowrap; }
th { color: var(--soft); font-weight: 500; }
td.number, th.number { text-align: right; }
td.what { white-space: pre; }
td svg { display: block; }
.met { color: var(--good); }
.missed { color: var(--bad); font-weight: 600; }
details { background: var(--card); border: 1px solid var(--grid); border-radius: 6px;
          margin: 8px 0; padding: 8px 14px; }
summary { cursor: pointer; }
pre { overflow-x: auto; font-size: 12.5px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; font-size: 14px; margin: 8px 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
)";

}  // namespace dash::report
