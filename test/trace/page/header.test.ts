import { expect, test } from 'vitest';
import { drawHeader } from '../../../src/trace/page/svg.ts';
import { degradedTrace, emptyTrace, hostileTrace } from './traces.ts';

test('drawHeader shows the target, the origin and the verdict with its sign', () => {
  const svg = String(drawHeader(degradedTrace).draw(0));
  expect(svg).toMatch(
    />web\.shop:http<[\s\S]*>from pod\/frontend-1 on node n1<[\s\S]*class="plate warning"[\s\S]*class="sign warning"[\s\S]*>Degraded</,
  );
});

test('drawHeader omits an unknown origin', () => {
  expect(String(drawHeader(emptyTrace).draw(0))).not.toContain('quiet');
});

test('drawHeader truncates a very long verdict', () => {
  expect(drawHeader(hostileTrace).height).toBeLessThan(400);
});
