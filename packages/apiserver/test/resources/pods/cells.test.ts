import { expect, test } from 'vitest';
import { podCells } from '../../../src/resources/pods/cells.ts';

const now = new Date('2025-01-01T01:00:00Z');
const cells = (object: object): unknown[] => podCells(object as Record<string, unknown>, now);

test('the status of a terminating pod is Terminating, or Unknown if its node is lost', () => {
  const terminatingPod = { metadata: { deletionTimestamp: 't' }, status: { phase: 'Running' } };
  expect(cells(terminatingPod)[2]).toBe('Terminating');
  expect(cells({ ...terminatingPod, status: { phase: 'Running', reason: 'NodeLost' } })[2]).toBe('Unknown');
  expect(cells({ ...terminatingPod, status: { phase: 'Failed' } })[2]).toBe('Failed');
});

test('the table counts restarts and shows the age of the last one', () => {
  const lastState = { terminated: { finishedAt: '2025-01-01T00:30:00Z' } };
  const status = { phase: 'Running', containerStatuses: [{ restartCount: 2, lastState, ready: true, state: { running: {} } }] };
  expect(cells({ spec: { containers: [{}] }, status }).slice(1, 4)).toEqual(['1/1', 'Running', '2 (30m ago)']);
});
