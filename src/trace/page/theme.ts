import { type Markup, markup } from './markup.ts';

/** Colours by what they are for, in light and in dark; paper is always light. Pictures and pages take no colour from elsewhere. */
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

/** What signs and lines look like wherever they are drawn. */
export const drawing: Markup = markup`svg text{fill:var(--ink);font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
.sign>*{stroke-linejoin:round}.sign .stroke{fill:none;stroke:var(--on-sign);stroke-width:2.6;stroke-linecap:round}
.sign.ok{fill:var(--ok)}.sign.warning{fill:var(--warning)}.sign.error{fill:var(--error)}
.sign.skipped{fill:var(--panel);stroke:var(--skipped);stroke-width:2}.sign.skipped .stroke{stroke:var(--skipped)}
.rail{fill:none;stroke:var(--rail);stroke-width:5;stroke-linecap:round}.rail.cut{stroke:var(--cut);stroke-width:3;stroke-dasharray:1 7}
.branch{fill:none;stroke:var(--rail);stroke-width:2.5}.branch.out{stroke:var(--cut);stroke-dasharray:5 4}
.stop{stroke:var(--error);stroke-width:4;stroke-linecap:round}
svg .stage{fill:var(--quiet);font-size:12px;font-weight:600;letter-spacing:.02em}svg .title{font-size:17px;font-weight:650}
svg .quiet{fill:var(--quiet)}
`;
