import { expect, test } from 'vitest';
import { readinessSettings } from '../../src/readiness/gates.ts';
import { isOwnedByKubelet } from '../../src/readiness/merge.ts';

test.each([
  ['Ready', '1.17', '1.37'],
  ['PodScheduled', '1.17', '1.37'],
  ['Unschedulable', '1.17', '1.19'],
  ['PodReadyToStartContainers', '1.29', '1.37'],
  ['PodResizePending', '1.33', '1.37'],
  ['PodResizeInProgress', '1.33', '1.37'],
  ['AllContainersRestarting', '1.36', '1.37'],
])('isOwnedByKubelet: the kubelet owns %s from %s to %s', (type, from, to) => {
  const minors = Array.from({ length: 21 }, (_, at) => `1.${17 + at}`);
  const owned = minors.filter((version) => isOwnedByKubelet(type, readinessSettings({ version })));
  expect([owned[0], owned.at(-1), owned.length]).toEqual([from, to, Number(to.slice(2)) - Number(from.slice(2)) + 1]);
});

test('isOwnedByKubelet: the kubelet does not own other conditions', () => {
  expect([isOwnedByKubelet('DisruptionTarget', readinessSettings()), isOwnedByKubelet(undefined, readinessSettings())]).toEqual([
    false,
    false,
  ]);
});
