import { expect, test } from 'vitest';
import { drawTop } from '../../../src/trace/page/svg.ts';
import { degradedTrace, empty, hostileTrace } from './traces.ts';

test('drawTop shows the target, the origin and the verdict with its sign', () => {
  const svg = String(drawTop(degradedTrace).draw(0));
  expect(svg).toMatch(
    />web\.shop:http<[\s\S]*>from pod\/frontend-1 on node n1<[\s\S]*class="plate warning"[\s\S]*class="sign warning"[\s\S]*>Degraded</,
  );
});

test('drawTop omits an unknown origin', () => {
  expect(String(drawTop(empty).draw(0))).not.toContain('quiet');
});

test('drawTop truncates a very long verdict', () => {
  expect(drawTop(hostileTrace).height).toBeLessThan(400);
});
