import { describe, expect, it } from 'vitest';
import type { Destination } from '../../src/trace/destination.ts';
import type { TraceStep } from '../../src/trace/index.ts';
import { draft, type TraceStage } from '../../src/trace/trace.ts';
import { verdictOf } from '../../src/trace/trace-target.ts';
import { makeService } from './shop.ts';

const toService: Destination = { kind: 'service', service: makeService('web'), address: '10.96.0.10', role: 'cluster' };
const stages: readonly TraceStage[] = ['name', 'record', 'service', 'policy', 'endpoints', 'pod', 'readiness'];
type Given = Partial<Record<TraceStage, readonly [TraceStep['outcome'], string?]>>;
const of = (given: Given, destination: Destination = toService, question: object = {}) =>
  verdictOf(
    { target: 'web', ...question },
    destination,
    stages.map((stage) => {
      const [outcome = 'ok', blame] = given[stage] ?? [];
      const chosen = stage === 'endpoints' ? [{ id: 'pod/shop/web-1', label: 'web-1', notes: [] }] : [];
      return draft(stage, stage, { outcome, chosen, ...(blame !== undefined && { blame }) });
    }),
  );

describe('verdictOf', () => {
  it('is reached if every step is ok, and names the origin', () => {
    expect(of({})).toEqual({ outcome: 'reached', verdict: 'web reaches 1 endpoint of Service shop/web.' });
    expect(of({}, toService, { from: 'pod/a' }).verdict).toBe('web reaches 1 endpoint of Service shop/web from pod/a.');
    expect(of({}, toService, { from: 'pod/a', node: 'n1' }).verdict).toBe('web reaches 1 endpoint of Service shop/web from node n1.');
  });

  it('is outside if the target leads out of the cluster or is unknown', () => {
    expect(of({}, { kind: 'outside', description: 'example.com' })).toEqual({
      outcome: 'outside',
      verdict: 'web leads outside the cluster, to example.com.',
    });
    expect(of({ service: ['warning', 'Nothing has it'] }, { kind: 'unknown', address: '192.0.2.1' })).toEqual({
      outcome: 'outside',
      verdict: 'web leads to no Service and no pod: nothing has it.',
    });
    expect(of({ service: ['error', 'Nothing has it'] }, { kind: 'unknown', address: '10.1.0.7' }).outcome).toBe('unreachable');
  });

  it.each(['policy', 'endpoints', 'pod', 'readiness'] as const)('is degraded by a warning of the step %s', (stage) => {
    expect(of({ [stage]: ['warning', 'No pod is there'] })).toEqual({
      outcome: 'degraded',
      verdict: 'web reaches 1 endpoint of Service shop/web, but with problems: no pod is there.',
    });
  });

  it.each(['name', 'record', 'service'] as const)('is not degraded by a warning of the step %s', (stage) => {
    expect(of({ [stage]: ['warning', 'x'] }).outcome).toBe('reached');
  });

  it.each(['name', 'record', 'service', 'policy', 'endpoints'] as const)('is unreachable after an error of the step %s', (stage) => {
    expect(of({ [stage]: ['error', 'The end'] })).toEqual({ outcome: 'unreachable', verdict: 'web reaches nothing: the end.' });
  });

  it('adds the cause in the pods to an error of endpoints or records', () => {
    const readiness = ['error', 'The probe fails'] as const;
    expect(of({ endpoints: ['error', 'None'], readiness }).verdict).toBe('web reaches nothing: None: the probe fails.');
    expect(of({ record: ['error', 'None at all'], pod: ['error', 'X lacks'], readiness }).verdict).toBe(
      'web reaches nothing: none at all: X lacks.',
    );
    expect(of({ service: ['error', 'None'], readiness }).verdict).toBe('web reaches nothing: None.');
  });

  it('is unreachable if the name does not resolve or the target pod does not run', () => {
    expect(of({}, { kind: 'nowhere' })).toEqual({ outcome: 'unreachable', verdict: 'web reaches nothing: no step reports a cause.' });
    const pod: Destination = { kind: 'pod', pod: { metadata: { namespace: 'shop', name: 'web-1' } }, address: '10.1.0.1' };
    expect(of({ pod: ['error', 'Pod x does not run'] }, pod)).toEqual({
      outcome: 'unreachable',
      verdict: 'web reaches nothing: pod x does not run.',
    });
    expect(of({}, pod).verdict).toBe('web reaches pod shop/web-1.');
  });
});
