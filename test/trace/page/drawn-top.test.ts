import { expect, test } from 'vitest';
import { drawTop } from '../../../src/trace/page/svg.ts';
import { degraded, empty, hostile } from './traces.ts';

test('the top says what was asked, from where, and the verdict with its sign', () => {
  const svg = String(drawTop(degraded).draw(0));
  expect(svg).toMatch(
    />web\.shop:http<[\s\S]*>from pod\/frontend-1 on node n1<[\s\S]*class="plate warning"[\s\S]*class="sign warning"[\s\S]*>Degraded</,
  );
});

test('it says nothing of a start that is not known', () => {
  expect(String(drawTop(empty).draw(0))).not.toContain('quiet');
});

test('a very long verdict is cut', () => {
  expect(drawTop(hostile).height).toBeLessThan(400);
});
