import { createHash } from 'node:crypto';
import type { Environment, RolloutCheck } from '@kube-endpoints/simulator';
import { embedJSON, type Markup, markup, renderStandaloneSign } from 'kube-endpoints/internal';
import { describeAnswer, describeFixes, startOf } from '../report/simulation.ts';
import { type RunView, viewRun } from './data.ts';
import { renderAxis, renderLanes } from './lanes.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

/** What a page says besides the check. */
export interface PageOptions {
  /** For example "Simulated rollout". */
  readonly kind: string;
  /** What changes, for example "Deployment shop/web". */
  readonly subject: string;
  /** Where the objects come from, for example file names. */
  readonly source: readonly string[];
  readonly clients?: Environment['clients'];
}

/**
 * Renders a check as one self-contained HTML document with the timeline of its worst run. Its content security policy allows its own script
 * and style only, and no network access. The same check gives the same bytes.
 */
export function renderPage(check: RolloutCheck, options: PageOptions): string {
  const view = viewRun(check.worst, options.clients);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${options.kind}: ${options.subject}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#timeline">Skip to the timeline</a>
${renderAnswer(check, options, view)}
<div class="sheet">
<main id="timeline" tabindex="-1" aria-label="Timeline">
${renderTimeline(view, startOf(check))}
${renderState()}
</main>
</div>
<script type="application/json" id="data">${embedJSON(view.data)}</script>
<script>${pageScript}</script>
</body>
</html>
`;
  return page.toString();
}

const hash = (content: Markup): string => `'sha256-${createHash('sha256').update(content.toString()).digest('base64')}'`;

const contentSecurityPolicy = (): string =>
  `default-src 'none'; script-src ${hash(pageScript)}; style-src ${hash(pageStyle)}; img-src data:; base-uri 'none'; form-action 'none'`;

const signs = { safe: 'ok', unfinished: 'warning', drops: 'error' } as const;

function renderAnswer(check: RolloutCheck, { kind, subject, source }: PageOptions, { indexOf }: RunView): Markup {
  const sign = signs[check.verdict];
  const { headline, sentences, notes } = describeAnswer(check);
  const drops = sentences.map((sentence, i) => {
    const index = indexOf(check.worst.drops[i]?.causes[0] ?? -1);
    return markup`<li>${index < 0 ? sentence : markup`<button type="button" data-entry="${index}">${sentence}</button>`}</li>
`;
  });
  return markup`<header class="${sign}">
<p class="kind">${kind}</p>
<h1>${subject}</h1>
<p class="verdict ${sign}">${renderStandaloneSign(sign)}<span><strong>${headline}.</strong></span></p>
${
  drops.length === 0
    ? undefined
    : markup`<p class="notes" id="drops-title">Seconds since the ${startOf(check)}; each leads to the time when requests begin to fail:</p><ul class="drops" role="list" aria-labelledby="drops-title">
${drops}</ul>`
}
${notes.map((note) => markup`<p class="notes">${note}</p>`)}
${renderSteps(check.steps)}
${renderFix(check)}
<p class="source">${source.join(' · ')}</p>
</header>`;
}

const renderSteps = (steps: RolloutCheck['steps'] = []): Markup | undefined =>
  steps.length === 0
    ? undefined
    : markup`<p class="notes" id="steps-title">Steps, in seconds since the start:</p><ul class="drops" role="list" aria-labelledby="steps-title">
${steps.map(({ at, summary }) => markup`<li>${(at / 1000).toFixed(1)} s: ${summary}</li>`)}</ul>`;

function renderFix(check: RolloutCheck): Markup | undefined {
  const descriptions = describeFixes(check);
  if (descriptions.length === 0) return undefined;
  return markup`<section class="cause" aria-labelledby="fix-title"><h2 id="fix-title">How to fix it</h2><div>${descriptions.map(
    ({ headline, fields, notes }) => markup`<p>${headline}</p>
<p class="fields">${fields.map((field) => markup`<code>${field}</code>`)}</p>
${notes.map((note) => markup`<p class="notes">${note}</p>`)}`,
  )}</div></section>`;
}

function renderTimeline(view: RunView, origin: string): Markup {
  const { start, end } = view.data;
  return markup`<div class="scrub"><div class="bar"><label for="time">Time since the ${origin}</label><output class="now" for="time"></output>
<div class="steps"><button type="button" data-step="-1">Previous change</button><button type="button" data-step="1">Next change</button></div></div>
<div class="row"><p class="name" id="time-hint">Arrow keys: previous or next change. Page Up and Page Down: 10 changes. Home and End: start and end.</p><div><input type="range" id="time" min="${start}" max="${end}" value="${start}" step="1" aria-describedby="time-hint">${renderAxis(view.data)}</div></div></div>
<noscript><p class="notes">The slider and the state at a time need JavaScript. The pods over time do not.</p></noscript>
<section class="lanes-part" aria-labelledby="lanes-title"><h2 id="lanes-title">Pods over time</h2>
${view.omissions.map((omission) => markup`<p class="notes">${omission}</p>`)}
${renderLegend()}
${renderLanes(view)}</section>`;
}

const renderLegend = (): Markup => markup`<ul class="legend" role="list">
<li><svg aria-hidden="true"><rect class="starting" x="1" y="9" width="30" height="8"/></svg>starting: not ready</li>
<li><svg aria-hidden="true"><rect class="ready" y="5" width="32" height="16"/></svg>ready</li>
<li><svg aria-hidden="true"><rect class="terminating" x="1" y="5" width="30" height="16"/></svg>terminating</li>
<li><svg aria-hidden="true"><rect class="listening" y="24" width="32" height="3"/></svg>listener open or draining</li>
<li><svg aria-hidden="true"><rect class="failing" x="1" y="3" width="30" height="20"/></svg>requests fail</li>
</ul>`;

const tables: readonly { readonly id: string; readonly title: string; readonly columns: readonly string[] }[] = [
  { id: 'requests', title: 'Requests', columns: ['Clients', 'Service', 'New connections', 'Why'] },
  { id: 'pods', title: 'Pods', columns: ['Pod', 'Phase', 'Ready', 'Terminating', 'Listener'] },
  {
    id: 'endpoints',
    title: 'Endpoints and EndpointSlices',
    columns: ['Object', 'Ready', 'Serving, terminating', 'Terminating', 'Not ready'],
  },
  { id: 'proxies', title: 'Rules of kube-proxy', columns: ['Nodes', 'Service', 'Endpoints'] },
  { id: 'records', title: 'DNS records', columns: ['Name', 'Resolvers of nodes', 'Addresses'] },
  { id: 'balancers', title: 'Load balancers and ingress proxies', columns: ['Component', 'Service', 'Endpoints'] },
];

function renderState(): Markup {
  return markup`<div id="state" hidden>
<div><h2>State at <span class="now"></span></h2>
${tables.map(renderTable)}</div>
<div class="history"><h2>Changes</h2>
<section aria-labelledby="changes-title"><h3 id="changes-title">Around this time</h3><ol class="entries" id="changes" role="list"></ol></section>
<section aria-labelledby="causes-title"><h3 id="causes-title">The selected change, and what caused it</h3><ol class="entries" id="causes" role="list"></ol></section>
<section id="effects-part" aria-labelledby="effects-title"><h3 id="effects-title">What it caused</h3><ol class="entries" id="effects" role="list"></ol></section></div>
</div>`;
}

const renderTable = ({ id, title, columns }: (typeof tables)[number]): Markup =>
  markup`<section aria-labelledby="${id}-title"><h3 id="${id}-title">${title}</h3><div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-title"><table role="table" aria-labelledby="${id}-title"><thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead><tbody id="${id}"></tbody></table></div></section>
`;
