import { describe, expect, test } from 'vitest';
import { renderMap } from '../../../src/trace/page/page.ts';
import { degradedTrace, emptyTrace, hostileTrace, unreachableTrace } from './traces.ts';

const map = (trace: Parameters<typeof renderMap>[0]): string => String(renderMap(trace));

describe('renderMap', () => {
  test('links every entry to its step, with a label for screen readers', () => {
    const labels = [...map(degradedTrace).matchAll(/<a href="#step-(\d)" aria-label="([^"]*)"/g)].map(
      ([, number, label]) => `${number} ${label}`,
    );
    expect(labels).toEqual([
      '1 Step 1, Name: web.shop. OK. 1 chosen, 1 left out',
      '2 Step 2, DNS record: web.shop.svc.cluster.local A. OK. 1 chosen',
      '3 Step 3, Service: Service shop/web. OK',
      '4 Step 4, Traffic policy: From node n1. OK',
      '5 Step 5, Endpoints: 2 of 5 endpoints. Warning. 2 chosen, 3 left out',
      '6 Step 6, Pods: 5 pods match the selector. OK. 3 chosen',
      '7 Step 7, Readiness: 2 pods are not ready. Warning. 2 left out',
    ]);
  });

  test('cuts the line after the step that stops the traffic', () => {
    const rails = [...map(unreachableTrace).matchAll(/class="(rail[^"]*)"/g)].map(([, name]) => name);
    expect(rails).toEqual(['rail', 'rail cut', 'rail cut', 'rail cut', 'rail cut', 'rail cut']);
  });

  test('draws a dead end at each step with left-out items', () => {
    expect(map(degradedTrace).match(/class="stop"/g)).toHaveLength(3);
  });

  test('draws no links without steps', () => {
    expect(map(emptyTrace)).not.toContain('<a ');
  });

  test('wraps a long title onto two lines', () => {
    const names = map(hostileTrace).match(/class="name"/g) ?? [];
    expect(names).toHaveLength(2 * hostileTrace.steps.length);
  });
});
