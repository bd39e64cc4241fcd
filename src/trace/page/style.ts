import { type Markup, markup } from './markup.ts';

/** The colours by purpose, for light and dark mode; print is always light. All colours come from here. */
export const theme: Markup = markup`:root{color-scheme:light dark;
--ground:#f4f6f8;--panel:#ffffff;--ink:#17202b;--quiet:#526071;--edge:#d3dae2;--rail:#0f766e;--cut:#75808d;--link:#0b5cad;
--ok:#0b7350;--ok-ground:#e3f4ec;--warning:#8a5200;--warning-ground:#fdf1dc;--error:#b3231b;--error-ground:#fdeae8;
--skipped:#596677;--skipped-ground:#e9edf1;--on-sign:#ffffff}
@media (prefers-color-scheme:dark){:root{
--ground:#10151b;--panel:#19212a;--ink:#e7ecf2;--quiet:#a2afbd;--edge:#33404d;--rail:#4fc6b5;--cut:#7f8c9a;--link:#85bdf7;
--ok:#62d6a2;--ok-ground:#15352a;--warning:#f2bb5c;--warning-ground:#3a2c12;--error:#ff938a;--error-ground:#431f1d;
--skipped:#a5b1be;--skipped-ground:#28323d;--on-sign:#10151b}}
@media print{:root{color-scheme:light;
--ground:#ffffff;--panel:#ffffff;--ink:#17202b;--quiet:#526071;--edge:#c3cbd4;--rail:#0f766e;--cut:#75808d;--link:#0b5cad;
--ok:#0b7350;--ok-ground:#e3f4ec;--warning:#8a5200;--warning-ground:#fdf1dc;--error:#b3231b;--error-ground:#fdeae8;
--skipped:#596677;--skipped-ground:#e9edf1;--on-sign:#ffffff}}
`;

/** Shared styles of signs and lines. */
export const drawingStyle: Markup = markup`svg text{fill:var(--ink);font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
.sign>*{stroke-linejoin:round}.sign .stroke{fill:none;stroke:var(--on-sign);stroke-width:2.6;stroke-linecap:round}
.sign.ok{fill:var(--ok)}.sign.warning{fill:var(--warning)}.sign.error{fill:var(--error)}
.sign.unknown{fill:var(--warning)}
.sign.skipped{fill:var(--panel);stroke:var(--skipped);stroke-width:2}.sign.skipped .stroke{stroke:var(--skipped)}
.rail{fill:none;stroke:var(--rail);stroke-width:5;stroke-linecap:round}.rail.cut{stroke:var(--cut);stroke-width:3;stroke-dasharray:1 7}
.branch{fill:none;stroke:var(--rail);stroke-width:2.5}.branch.out{stroke:var(--cut);stroke-dasharray:5 4}
.stop{stroke:var(--error);stroke-width:4;stroke-linecap:round}
svg .stage{fill:var(--quiet);font-size:12px;font-weight:600;letter-spacing:.02em}svg .title{font-size:17px;font-weight:650}
svg .quiet{fill:var(--quiet)}
`;

/** The style of the parts that every page has. */
export const frameStyle: Markup = markup`*{box-sizing:border-box}html{scroll-behavior:auto;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
h1,h2,h3,p,ul,ol{margin:0;padding:0}ul,ol{list-style:none}
h1,.title,.label,.verdict,.message,.remedy,.about,.path,.start{overflow-wrap:anywhere;unicode-bidi:isolate}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:1rem;top:-4rem;z-index:2;padding:.5rem 1rem;background:var(--panel);border-radius:0 0 8px 8px}.skip:focus{top:0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
header{background:var(--panel);border-bottom:1px solid var(--edge);border-top:6px solid var(--skipped);padding:1.5rem clamp(1rem,4vw,3rem) 1.75rem}
header.ok{border-top-color:var(--ok)}header.warning{border-top-color:var(--warning)}header.error{border-top-color:var(--error)}
.kind{color:var(--quiet);font-size:.85rem;font-weight:600}
h1{font:650 clamp(1.4rem,5vw,2.1rem)/1.25 ui-monospace,"Cascadia Mono","Liberation Mono",monospace;letter-spacing:-.02em}
.start{color:var(--quiet);margin-top:.15rem}
.verdict{display:flex;gap:.75rem;align-items:flex-start;max-width:60rem;margin-top:1rem;padding:.75rem 1rem;border-radius:10px;font-size:1.1rem}
.verdict svg{flex:none}.verdict.ok{background:var(--ok-ground)}.verdict.warning{background:var(--warning-ground)}
.verdict.error{background:var(--error-ground)}
.cause{max-width:60rem;margin:1rem 0 0;display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem 1rem}
.cause dt{font-weight:650;grid-column:1}.cause dd{margin:0;grid-column:2;overflow-wrap:anywhere;unicode-bidi:isolate}
.cause .command{display:block;padding:.5rem .75rem;background:var(--ground);border:1px solid var(--edge);border-radius:8px;color:var(--ink);user-select:all}
.source{margin-top:1rem;color:var(--quiet);font-size:.85rem;overflow-wrap:anywhere}
.sheet{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;max-width:88rem;margin:0 auto;padding:1.5rem clamp(1rem,4vw,3rem) 4rem}
h2{font-size:1.15rem;line-height:1.3;margin-bottom:.9rem}main:focus{outline:none}
`;

const mapStyle = markup`nav{min-width:0}.map{display:block;width:100%;max-width:24rem;height:auto}
.map .name{font-size:14px;font-weight:550}.map .counts{fill:var(--quiet);font-size:12.5px}
.map .hit{fill:transparent;stroke:transparent;stroke-width:2}.map a:hover .hit{fill:var(--panel);stroke:var(--edge)}
.map a:focus-visible{outline:none}.map a:focus-visible .hit{stroke:var(--link);stroke-width:3}
.map .rail,.map .branch,.map .stop{pointer-events:none}
`;

const stepsStyle = markup`.steps{--gap:1.25rem}.step{position:relative;display:grid;grid-template-columns:2.25rem minmax(0,1fr);gap:.5rem;padding-bottom:var(--gap)}
.step:not(:last-child)::before{content:"";position:absolute;left:calc(1.125rem - 2.5px);top:2rem;bottom:-1rem;border-left:5px solid var(--rail)}
.step.cut:not(:last-child)::before{left:calc(1.125rem - 1.5px);border-left:3px dotted var(--cut)}
.marker{position:relative;display:flex;justify-content:center;padding-top:.75rem}.marker svg{position:relative;height:28px}
.step-body{position:relative;background:var(--panel);border:1px solid var(--edge);border-radius:12px;padding:.85rem 1rem 1rem}
.step.error>.step-body{border-color:var(--error)}.step.warning>.step-body{border-color:var(--warning)}.step.skipped>.step-body{border-style:dashed}
.step:target>.step-body,.branches li:target{outline:3px solid var(--link);outline-offset:1px}.step:focus,li:focus{outline:none}
.step:focus-visible>.step-body,.branches li:focus-visible{outline:3px solid var(--link)}
h3{font-size:1.1rem;line-height:1.35}h3 span{display:block}
.stage{font-size:.85rem;font-weight:600;color:var(--quiet)}.path{display:inline-block}h3 .stage{padding-right:6rem;margin-bottom:.1rem}
.badge{position:absolute;right:1rem;top:.85rem;padding:.05rem .6rem;border-radius:99px;font-size:.85rem;font-weight:650}
.badge.ok{background:var(--ok-ground);color:var(--ok)}.badge.warning{background:var(--warning-ground);color:var(--warning)}
.badge.unknown{background:var(--warning-ground);color:var(--warning)}.badge.error{background:var(--error-ground);color:var(--error)}.badge.skipped{background:var(--skipped-ground);color:var(--skipped)}
.notes{margin-top:.5rem;display:grid;gap:.4rem}.step-body>.notes{margin-top:.6rem}
code{font:.8rem/1.4 ui-monospace,"Cascadia Mono","Liberation Mono",monospace;color:var(--quiet);overflow-wrap:anywhere}
.code::before{content:"["}.code::after{content:"]"}
.remedy{margin-top:.3rem;padding:.3rem .7rem;border-left:4px solid var(--link);background:var(--ground);border-radius:0 6px 6px 0}
`;

const branchesStyle = markup`.branches{display:grid;gap:1rem;margin-top:.9rem}details{min-width:0}
summary{cursor:pointer;font-weight:650;width:fit-content;padding:.1rem .35rem .1rem 0}
.branches>details>ul{margin:.2rem 0 0 .45rem}
.branches>details>ul>li{position:relative;padding:.45rem .7rem;margin:.5rem 0 0 1.6rem;background:var(--ground);border-radius:8px;font-size:.95rem}
.branches>details>ul>li::before{content:"";position:absolute;left:-1.6rem;top:-.5rem;width:1.6rem;height:1.65rem;
border:solid var(--rail);border-width:0 0 2.5px 2.5px;border-radius:0 0 0 10px}
.branches>details>ul>li:not(:last-child)::before{top:.55rem;height:.6rem}
.branches>details>ul>li:not(:last-child)::after{content:"";position:absolute;left:-1.6rem;top:-.5rem;bottom:-.5rem;border-left:2.5px solid var(--rail)}
.branches>.left-out>ul>li{border:1px dashed var(--cut);border-left:4px solid var(--error)}
.branches>.left-out>ul>li::before{left:calc(-1.6rem - 4px);border-color:var(--cut);border-style:dashed}
.branches>.left-out>ul>li:not(:last-child)::after{left:calc(-1.6rem - 4px);border-left-color:var(--cut);border-left-style:dashed}
.label{font:550 .9rem/1.4 ui-monospace,"Cascadia Mono","Liberation Mono",monospace}.later{font-size:.85rem;white-space:nowrap}
.remedies{margin-bottom:2rem;background:var(--panel);border:1px solid var(--edge);border-left:6px solid var(--link);border-radius:12px;padding:1rem 1.25rem}
.fold{margin-top:.5rem}.remedies ul{display:grid;gap:.5rem}.about{color:var(--quiet);font-size:.9rem}.remedies a{white-space:nowrap}
`;

const mediaStyle = markup`@media (min-width:62rem){.sheet{grid-template-columns:19rem minmax(0,1fr);gap:2.5rem}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto;padding:4px}
.branches:has(.chosen):has(.left-out){grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
@media (max-width:30rem){.cause{grid-template-columns:minmax(0,1fr)}.cause dt,.cause dd{grid-column:1}.step{grid-template-columns:1.9rem minmax(0,1fr);gap:.35rem}.step-body{padding:.75rem .8rem .9rem}
.step:not(:last-child)::before{left:calc(.95rem - 2.5px)}.step.cut:not(:last-child)::before{left:calc(.95rem - 1.5px)}}
@media print{.skip,nav{display:none}.sheet{display:block;padding:1rem 0}body{font-size:10pt}header{padding:0 0 1rem}
.step-body,.remedies,.branches li{break-inside:avoid}details::details-content{display:block;content-visibility:visible;block-size:auto}}
@media (forced-colors:active){.badge,.verdict,.label{border:1px solid}.sign-picture,.map{forced-color-adjust:auto}}
`;

/** The page's style sheet. It is the same for every trace, so that the content security policy can allow it by its hash. */
export const pageStyle: Markup = markup`${theme}${drawingStyle}${frameStyle}${mapStyle}${stepsStyle}${branchesStyle}${mediaStyle}`;

/** The hash of pageStyle, in the form that a content security policy uses. */
export const pageStyleHash = 'sha256-tOxJVRkHwX5pDzMP+UpuJcZBpPqh5qmkvqRITEMW9ms=';
