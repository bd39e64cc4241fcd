import type { Trace } from '../trace.ts';
import { renderMap } from './map.ts';
import { type Markup, markup } from './markup.ts';
import { mendsOf } from './mends.ts';
import { signPicture } from './signs.ts';
import { renderSteps } from './steps.ts';
import { pageStyle, pageStyleHash } from './style.ts';
import { outcomeLooks, outcomeWords, startWords } from './words.ts';

export interface PageOptions {
  /** Of the document; the target and the outcome where there is none. */
  readonly title?: string;
}

/**
 * The trace as one HTML document that needs nothing else: no script, no font, no network, which its own policy forbids. The map at its side
 * and the list of steps hold the same stations.
 */
export function renderPage(trace: Trace, { title }: PageOptions = {}): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title ?? `${trace.target}: ${outcomeWords[trace.outcome]}`}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#steps">Skip to the steps</a>
${renderTop(trace)}
<div class="sheet">
<nav aria-labelledby="map-title"><h2 id="map-title">The way at a glance</h2>
${renderMap(trace)}
</nav>
<main id="steps" tabindex="-1">
${renderMends(trace)}
<section aria-labelledby="steps-title"><h2 id="steps-title">Steps</h2>
${trace.steps.length === 0 ? markup`<p class="none">There are no steps.</p>` : renderSteps(trace.steps)}
</section>
</main>
</div>
</body>
</html>
`;
  return page.toString();
}

const policy = `default-src 'none'; style-src '${pageStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'`;

function renderTop(trace: Trace): Markup {
  const look = outcomeLooks[trace.outcome];
  const start = startWords(trace);
  return markup`<header class="${look}">
<p class="kind">Trace of a Service</p>
<h1>${trace.target}</h1>
${start === '' ? undefined : markup`<p class="start">${start}</p>`}
<p class="verdict ${look}">${signPicture(look)}<span><strong>${outcomeWords[trace.outcome]}.</strong> ${trace.verdict}</span></p>
</header>`;
}

function renderMends(trace: Trace): Markup | undefined {
  const mends = mendsOf(trace.steps);
  if (mends.length === 0) return undefined;
  const items = mends.map(
    ({ mend, number, about, times }) =>
      markup`<li>${mend} <span class="about">${about}${times > 1 ? ` and ${times - 1} more` : ''}, <a href="#step-${number}">step ${number}</a></span></li>
`,
  );
  return markup`<section class="mends" aria-labelledby="mends-title"><h2 id="mends-title">What would mend it</h2>
<ul role="list">
${items}</ul></section>
`;
}
