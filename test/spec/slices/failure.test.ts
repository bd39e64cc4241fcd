import { describe, expect, it } from 'vitest';
import { createFailureEvent, describeMissingNodes } from '../../../src/spec/slices/plan.ts';
import { makeService, profileWith } from '../objects.ts';

const missingNodes = [
  { pod: 'a', node: 'n1' },
  { pod: 'b', node: '' },
];

describe('describeMissingNodes', () => {
  it.each([
    [true, ['skipping Pod a for Service shop/web: Node n1 Not Found', 'skipping Pod b for Service shop/web: Node  Not Found']],
    [false, ['node "n1" not found']],
  ])('names the missing nodes (missingNodeSkipped: %s)', (missingNodeSkipped, expected) => {
    expect(describeMissingNodes(makeService(), missingNodes, profileWith({ missingNodeSkipped }))).toEqual(expected);
    expect(describeMissingNodes(makeService(), [], profileWith({ missingNodeSkipped }))).toEqual([]);
  });

  it('accepts a Service without a name', () => {
    expect(describeMissingNodes({}, missingNodes.slice(0, 1), profileWith())).toEqual(['skipping Pod a for Service /: Node n1 Not Found']);
  });
});

describe('createFailureEvent', () => {
  it.each([
    [['x'], 'x'],
    [['x', 'y', 'z'], '[x, y, z]'],
  ])('joins the messages %j', (texts, expected) => {
    expect(createFailureEvent(makeService(), new Set(texts))).toEqual({
      type: 'Warning',
      reason: 'FailedToUpdateEndpointSlices',
      message: `Error updating Endpoint Slices for Service shop/web: ${expected}`,
    });
  });

  it('accepts a Service without a name', () => {
    expect(createFailureEvent({}, new Set(['x'])).message).toBe('Error updating Endpoint Slices for Service /: x');
  });
});
