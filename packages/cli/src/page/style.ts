import { drawingStyle, frameStyle, type Markup, markup, theme } from 'kube-endpoints/internal';

const answerStyle = markup`html{scroll-padding-top:9rem}
.drops{max-width:60rem;margin:.75rem 0 0;display:grid;gap:.35rem}.notes{margin-top:.5rem;max-width:60rem}
.fields code{display:block;padding:.25rem .75rem;background:var(--ground);border-left:4px solid var(--link);margin-top:.3rem}
code{font:.85rem/1.5 ui-monospace,"Cascadia Mono","Liberation Mono",monospace;overflow-wrap:anywhere}
button{font:inherit;color:inherit;background:none;border:1px solid transparent;border-radius:6px;padding:.15rem .4rem;text-align:left;cursor:pointer;overflow-wrap:anywhere}
button:hover{border-color:var(--edge);background:var(--ground)}
.drops button{padding-left:.75rem;border-left:4px solid var(--error)}
.steps button{border-color:var(--edge);padding:.25rem .75rem;color:var(--link)}
`;

const timelineStyle = markup`main{min-width:0}.scrub{position:sticky;top:0;z-index:1;background:var(--panel);border:1px solid var(--edge);border-radius:0 0 10px 10px;padding:.5rem .75rem;margin-bottom:1.25rem}
.scrub .bar{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between}
.scrub label,.scrub output{font-weight:650}.scrub output{font-variant-numeric:tabular-nums}
.steps{display:flex;gap:.5rem}.lanes{position:relative;padding:0 .75rem}
input[type=range]{display:block;width:100%;margin:.35rem 0 0;height:24px;accent-color:var(--link);cursor:pointer}
.row{display:grid;grid-template-columns:minmax(0,1fr);align-items:center;gap:0 1rem;padding:.15rem 0}
.row .name{min-width:0;font-size:.9rem;line-height:1.35}.name .label{font:550 .85rem/1.4 ui-monospace,"Cascadia Mono","Liberation Mono",monospace}
.axis,.lane{display:block;width:calc(100% - 16px);margin-inline:8px;height:28px;overflow:hidden}.axis{height:22px}.axis line{stroke:var(--cut)}.axis text{font-size:12px;fill:var(--quiet)}
.lane{cursor:pointer}.cursor{position:absolute;top:0;bottom:0;right:calc(.75rem + 8px);height:100%;left:calc(.75rem + 8px);width:calc(100% - 1.5rem - 16px);pointer-events:none;overflow:visible}
.cursor line{stroke:var(--link);stroke-width:2}
.starting{fill:var(--panel);stroke:var(--cut)}.ready{fill:var(--rail)}.terminating{fill:var(--warning-ground);stroke:var(--warning);stroke-dasharray:4 3}
.listening{fill:var(--link)}.failing{fill:var(--error);stroke:var(--error);stroke-width:2}
svg .fail-text{fill:var(--error);font-size:12px;font-weight:700;paint-order:stroke;stroke:var(--ground);stroke-width:4px}
.fails{color:var(--error);font-weight:600}.name .fails{margin-left:-.4rem}.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.25rem;margin:.75rem 0;font-size:.9rem}
.legend li{display:flex;gap:.5rem;align-items:center}.legend svg{flex:none;width:2rem;height:28px}
`;

const stateStyle = markup`#state{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;margin-top:1.5rem}
#state section,.lanes-part{margin-bottom:1.25rem}h3{font-size:1rem;line-height:1.35;margin-bottom:.4rem}
.scroll{max-height:24rem;overflow:auto;background:var(--panel);border:1px solid var(--edge);border-radius:10px}
table{width:100%;border-collapse:collapse;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem}td{overflow-wrap:anywhere;min-width:6.5rem}
th{font-weight:600;color:var(--quiet);border-bottom:1px solid var(--edge)}tr+tr td{border-top:1px solid var(--edge)}
td small{display:block;color:var(--quiet);font-size:.8rem}.good{color:var(--ok)}.bad{color:var(--error);font-weight:600}
.addresses{display:flex;flex-wrap:wrap;gap:.1rem .9rem}.rest{color:var(--quiet)}
.entries{position:relative;background:var(--panel);border:1px solid var(--edge);border-radius:10px;font-size:.9rem;max-height:24rem;overflow-y:auto}
.entries li+li{border-top:1px solid var(--edge)}.entries button{display:block;width:100%;border-radius:0;padding:.3rem .75rem}
.entries button:focus-visible{outline-offset:-3px}.entries [aria-current]{border-left:5px solid var(--link);background:var(--ground)}.entries [aria-current] .message{font-weight:650}
.at{font-variant-numeric:tabular-nums;font-weight:600}.actor{color:var(--quiet)}
@media (max-width:48rem){#time-hint,thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr,td{display:block}tr{padding:.3rem 0}td{padding:.1rem .75rem}tr+tr{border-top:1px solid var(--edge)}tr+tr td{border-top:0}
td::before{content:attr(data-label) ": ";color:var(--quiet)}td:first-child::before{content:""}td .addresses{display:inline-flex}}
@media (max-width:30rem){.cause{grid-template-columns:minmax(0,1fr)}}
@media (min-width:48rem){.row{grid-template-columns:18rem minmax(0,1fr)}.cursor{left:calc(.75rem + 18rem + 1rem + 8px);width:calc(100% - 1.5rem - 18rem - 1rem - 16px)}}
@media (min-width:70rem){#state{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}.history{position:sticky;top:8.5rem;align-self:start}.history .entries{max-height:max(12rem,calc((100vh - 20rem)/3))}}
@media print{.skip,.scrub,.cursor{display:none}.scroll,.entries{max-height:none}details::details-content{display:block;content-visibility:visible;block-size:auto}}
@media (forced-colors:active){.lane,.legend svg,.cursor{forced-color-adjust:none}}
`;

/** The style sheet of the page of a rollout or drain. It is the same for every page. */
export const pageStyle: Markup = markup`${theme}${drawingStyle}${frameStyle}${answerStyle}${timelineStyle}${stateStyle}`;
