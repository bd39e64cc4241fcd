import { describe, expect, test } from 'vitest';
import { renderPage } from '../../../src/trace/page/page.ts';
import { pageStyleHash } from '../../../src/trace/page/style.ts';
import { degradedTrace, emptyTrace, hostileTrace, reachedTrace } from './traces.ts';

describe('renderPage', () => {
  const page = renderPage(degradedTrace);

  test('renders a complete document', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.trimEnd()).toMatch(/<\/html>$/);
  });

  test('allows only its own style in its content security policy', () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy?.replaceAll('&#39;', "'")).toBe(
      `default-src 'none'; style-src '${pageStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  test('loads nothing from the network', () => {
    expect([...page.matchAll(/\b(?:src|href)="([^#"][^"]*)"/g)].map(([, target]) => target)).toEqual(['data:,']);
    expect(page).not.toMatch(/<script|style="|https?:\/\//);
  });

  test('shows the verdict first', () => {
    const words = page
      .slice(page.indexOf('<body>'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    expect(words).toMatch(
      /^ Skip to the steps Trace of a Service web\.shop:http from pod\/frontend-1 on node n1 Degraded\. web\.shop:http leads to/,
    );
  });

  test('lists the remedies with links to their steps', () => {
    expect(page).toContain('<span class="about">web-3 and 1 more, <a href="#step-7">step 7</a></span>');
    expect(renderPage(reachedTrace)).not.toContain('How to fix it');
  });

  test('shows the root cause, its evidence and the command of its fix before the steps', () => {
    const cause = {
      code: 'TargetPortUndeclared',
      message: 'No pod declares <8081>.',
      evidence: [{ object: 'Service shop/web', path: 'spec.ports[0].targetPort', value: '8081' }],
      fix: { text: 'Set targetPort.', command: `kubectl patch -p '{"a":1}'` },
      stage: 'pod',
    } as const;
    const text = renderPage({ ...degradedTrace, cause }, { source: ['Kubernetes 1.37', 'context production'] });
    const top = text.slice(text.indexOf('<header'), text.indexOf('</header>'));
    expect(top).toContain('No pod declares &lt;8081&gt;. <code class="code">TargetPortUndeclared</code> <a href="#step-6">Step 6</a>');
    expect(top).toContain('<dd>Service shop/web <code class="path">spec.ports[0].targetPort</code> 8081</dd>');
    expect(top).toContain('<code class="command">kubectl patch -p &#39;{&quot;a&quot;:1}&#39;</code>');
    expect(top).toContain('<p class="source">Kubernetes 1.37 · context production</p>');
    expect(text).not.toContain('How to fix it');
    expect(page).not.toContain('class="cause"');
  });

  test('uses target and outcome as title unless a title is given', () => {
    expect(page).toContain('<title>web.shop:http: Degraded</title>');
    expect(renderPage(degradedTrace, { title: 'Is <web> there?' })).toContain('<title>Is &lt;web&gt; there?</title>');
  });

  test('reports that a trace has no steps', () => {
    expect(renderPage(emptyTrace)).toContain('There are no steps.');
  });

  test('renders the same page for the same trace', () => {
    expect(renderPage(structuredClone(degradedTrace))).toBe(page);
  });
});

test('hostile texts add no tags or attributes to a page', () => {
  const tagsOf = (html: string): string[] => [...new Set(html.match(/<[a-z0-9]+( [a-z-]+(?==))?/g))].sort();
  const page = renderPage(hostileTrace);
  expect(page.match(/<style/g)).toHaveLength(1);
  expect(page.match(/<title/g)).toHaveLength(1);
  expect(tagsOf(page).filter((tag) => /script|img|onload|onerror/.test(tag))).toEqual([]);
  expect(page).not.toMatch(/[\0\u202e]/);
});
