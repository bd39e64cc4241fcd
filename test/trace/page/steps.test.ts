import { describe, expect, test } from 'vitest';
import { renderSteps } from '../../../src/trace/page/steps.ts';
import { degradedTrace, hostileTrace, unreachableTrace } from './traces.ts';

const html = (trace: Parameters<typeof renderSteps>[0]): string => String(renderSteps(trace));

describe('renderSteps', () => {
  test('renders a heading and the outcome of each step', () => {
    const headings = [...html(unreachableTrace).matchAll(/<h3>(.*?)<\/h3>\n<p class="badge \w+">(\w+)</g)];
    expect(headings.map(([, heading = '', word]) => `${heading.replace(/<[^>]*>/g, '')}: ${word}`)).toEqual([
      '1. Name wep.shop: OK',
      '2. DNS record wep.shop.svc.cluster.local A: Problem',
      '3. Service Not reached: Skipped',
      '4. Traffic policy Not reached: Skipped',
      '5. Endpoints Not reached: Skipped',
      '6. Pods Not reached: Skipped',
      '7. Readiness Not reached: Skipped',
    ]);
  });

  test('shows the code, the field and the remedy of a note', () => {
    const text = html(degradedTrace);
    expect(text).toContain('<code class="code">ContainersNotReady</code> <code class="path">pod.status.containerStatuses[0].ready</code>');
    expect(text).toContain('<p class="remedy"><strong>Fix:</strong> Let the readiness probe of container &quot;app&quot; use');
  });

  test('links an item to the next step that contains it, and never back', () => {
    const links = [...html(degradedTrace).matchAll(/href="#([^"]*)">see step/g)].map(([, anchor]) => anchor);
    expect(links).toEqual(['step-6-on-1', 'step-6-on-2', 'step-7-out-1', 'step-7-out-2', 'step-6-on-3']);
  });

  test('expands a few items, and collapses many', () => {
    const groups = [...html(hostileTrace).matchAll(/<details class="([a-z-]+)"( open)?><summary>([^<]*)</g)].map(
      ([, side, open, words]) => [side, open === ' open', words],
    );
    expect(groups.slice(0, 2)).toEqual([
      ['chosen', false, 'Chosen: 40'],
      ['left-out', true, 'Left out: 5'],
    ]);
  });

  test('marks the step that stops the traffic, and all later steps, as cut', () => {
    const marks = [...html(unreachableTrace).matchAll(/<li class="step \w+ (\w+)"/g)].map(([, mark]) => mark);
    expect(marks).toEqual(['passed', 'cut', 'cut', 'cut', 'cut', 'cut', 'cut']);
  });

  test('collapses the details of the steps other than the root cause, and marks that step', () => {
    const cause = { code: 'ReadinessProbeFails', message: 'It fails.', evidence: [], stage: 'readiness' } as const;
    const text = html({ ...degradedTrace, cause });
    const steps = text.split('<li class="step ').slice(1);
    expect(steps.map((step) => [step.includes('<details class="fold">'), step.includes('>Root cause</p>')])).toStrictEqual([
      ...Array.from({ length: 6 }, () => [true, false]),
      [false, true],
    ]);
    expect(html(degradedTrace)).not.toContain('class="fold"');
  });
});
