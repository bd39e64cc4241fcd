import { describe, expect, test } from 'vitest';
import { renderSvg } from '../../../src/trace/page/svg.ts';
import { degradedTrace, emptyTrace, hostileTrace, reachedTrace, unreachableTrace } from './traces.ts';

const textsOf = (svg: string, name: string): string[] =>
  [...svg.matchAll(new RegExp(`<text class="${name}"[^>]*>([^<]*)<`, 'g'))].map(([, text]) => text ?? '');

describe('renderSvg', () => {
  const svg = renderSvg(degradedTrace);

  test('contains its name, description and style', () => {
    expect(svg).toMatch(
      /^<svg xmlns="[^"]*" viewBox="0 0 960 \d+" width="960" height="\d+" role="img" aria-labelledby="trace-title trace-text">/,
    );
    expect(svg).toContain('<title id="trace-title">web.shop:http from pod/frontend-1 on node n1: Degraded</title>');
    expect(svg).toMatch(
      /<desc id="trace-text">web\.shop:http leads to 2 of 5 pods[^<]*5\. Endpoints: 2 of 5 endpoints, Warning, 2 chosen, 3 left out\. Hints/,
    );
    expect(svg).toContain('prefers-color-scheme:dark');
  });

  test('shows the steps in order, and the outcome at the end', () => {
    expect(textsOf(svg, 'stage')).toEqual([
      '1. Name · OK',
      '2. DNS record · OK',
      '3. Service · OK',
      '4. Traffic policy · OK',
      '5. Endpoints · Warning',
      '6. Pods · OK',
      '7. Readiness · Warning',
    ]);
    expect(textsOf(svg, 'end')).toEqual(['Degraded']);
  });

  test('shows chosen and left-out items', () => {
    const headings = ['Chosen: 1', 'Left out: 1', 'Chosen: 1', 'Chosen: 2', 'Left out: 3', 'Chosen: 3', 'Left out: 2'];
    expect(textsOf(svg, 'heading')).toEqual(headings);
    expect(textsOf(svg, 'label')).toEqual(expect.arrayContaining(['web-1 10.0.1.7:8080', 'web-5 [2001:db8:0:1::5]:8080']));
  });

  test('cuts the line after the step that stops the traffic', () => {
    const rails = (text: string): number[] => [/class="rail"/g, /class="rail cut"/g].map((pattern) => text.match(pattern)?.length ?? 0);
    expect(rails(renderSvg(reachedTrace))).toEqual([7, 0]);
    expect(rails(renderSvg(unreachableTrace))).toEqual([1, 6]);
  });

  test('shows the outcome of a trace without steps', () => {
    expect(textsOf(renderSvg(emptyTrace), 'end')).toEqual(['Unreachable']);
  });
});

test('hostile texts add no elements to a picture', () => {
  const elements = new Set([...renderSvg(hostileTrace).matchAll(/<([a-zA-Z]+)/g)].map(([, name]) => name));
  expect([...elements].sort()).toEqual(['circle', 'desc', 'g', 'path', 'rect', 'style', 'svg', 'text', 'title']);
});
