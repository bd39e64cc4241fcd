import { describe, expect, it } from 'vitest';
import type { Destination } from '../../src/trace/destination.ts';
import type { TraceStep } from '../../src/trace/index.ts';
import { createStep, type TraceStage } from '../../src/trace/trace.ts';
import { verdictOf } from '../../src/trace/trace-target.ts';
import { makeService } from './shop.ts';

const toService: Destination = { kind: 'service', service: makeService('web'), address: '10.96.0.10', role: 'cluster' };
const stages: readonly TraceStage[] = ['name', 'record', 'service', 'policy', 'endpoints', 'network', 'pod', 'readiness'];
type StepOutcomes = Partial<Record<TraceStage, readonly [TraceStep['outcome'], string?]>>;
const stepsWith = (outcomes: StepOutcomes) =>
  stages.map((stage) => {
    const [outcome = 'ok', cause] = outcomes[stage] ?? [];
    const chosen = stage === 'endpoints' ? [{ id: 'pod/shop/web-1', label: 'web-1', notes: [] }] : [];
    return createStep(stage, stage, { outcome, chosen, ...(cause !== undefined && { cause }) });
  });
const completeVerdictFor = (outcomes: StepOutcomes, destination: Destination = toService, question: object = {}) =>
  verdictOf({ target: 'web', ...question }, destination, stepsWith(outcomes));

/** The outcome and the sentence, without the headline that begins it. */
const verdictFor = (...parameters: Parameters<typeof completeVerdictFor>) => {
  const { outcome, verdict } = completeVerdictFor(...parameters);
  return { outcome, verdict };
};

describe('verdictOf', () => {
  it('returns reached if every step is ok, and names the origin', () => {
    expect(verdictFor({})).toEqual({ outcome: 'reached', verdict: 'web reaches 1 endpoint of Service shop/web.' });
    expect(verdictFor({}, toService, { from: 'pod/a' }).verdict).toBe('web reaches 1 endpoint of Service shop/web from pod/a.');
    expect(verdictFor({}, toService, { from: 'pod/a', node: 'n1' }).verdict).toBe(
      'web reaches 1 endpoint of Service shop/web from node n1.',
    );
  });

  it('returns outside if the target is outside of the cluster or unknown', () => {
    expect(verdictFor({}, { kind: 'outside', description: 'example.com' })).toEqual({
      outcome: 'outside',
      verdict: 'web leads outside the cluster, to example.com.',
    });
    expect(verdictFor({ service: ['warning', 'Nothing has it'] }, { kind: 'unknown', address: '192.0.2.1' })).toEqual({
      outcome: 'outside',
      verdict: 'web leads to no Service and no pod: nothing has it.',
    });
    expect(verdictFor({ service: ['error', 'Nothing has it'] }, { kind: 'unknown', address: '10.1.0.7' }).outcome).toBe('unreachable');
  });

  it.each(['policy', 'endpoints', 'network', 'pod', 'readiness'] as const)('returns degraded for a warning of the step %s', (stage) => {
    expect(verdictFor({ [stage]: ['warning', 'No pod exists'] })).toEqual({
      outcome: 'degraded',
      verdict: 'web reaches 1 endpoint of Service shop/web, but with problems: no pod exists.',
    });
  });

  it.each(['name', 'record', 'service'] as const)('returns reached for a warning of the step %s', (stage) => {
    expect(verdictFor({ [stage]: ['warning', 'x'] }).outcome).toBe('reached');
  });

  it.each(['name', 'record', 'service', 'policy', 'endpoints', 'network'] as const)(
    'returns unreachable for an error of the step %s',
    (stage) => {
      expect(verdictFor({ [stage]: ['error', 'The end'] })).toEqual({ outcome: 'unreachable', verdict: 'web reaches nothing: the end.' });
    },
  );

  it('adds the cause that the pods report to an error of the endpoints or records', () => {
    const readiness = ['error', 'The probe fails'] as const;
    expect(verdictFor({ endpoints: ['error', 'None'], readiness }).verdict).toBe('web reaches nothing: None: the probe fails.');
    expect(verdictFor({ record: ['error', 'None at all'], pod: ['error', 'X lacks'], readiness }).verdict).toBe(
      'web reaches nothing: none at all: X lacks.',
    );
    expect(verdictFor({ service: ['error', 'None'], readiness }).verdict).toBe('web reaches nothing: None.');
  });

  it('returns unreachable if the name does not resolve or the target pod does not run', () => {
    expect(verdictFor({}, { kind: 'nowhere' })).toEqual({
      outcome: 'unreachable',
      verdict: 'web reaches nothing: no step reports a cause.',
    });
    const pod: Destination = { kind: 'pod', pod: { metadata: { namespace: 'shop', name: 'web-1' } }, address: '10.1.0.1' };
    expect(verdictFor({ pod: ['error', 'Pod x does not run'] }, pod)).toEqual({
      outcome: 'unreachable',
      verdict: 'web reaches nothing: pod x does not run.',
    });
    expect(verdictFor({}, pod).verdict).toBe('web reaches pod shop/web-1.');
  });

  it('begins the sentence with a headline that has no cause', () => {
    expect(completeVerdictFor({ endpoints: ['error', 'None'] }, toService, { from: 'pod/a' }).headline).toBe(
      'web reaches nothing from pod/a',
    );
    expect(completeVerdictFor({ pod: ['warning', 'No pod exists'] }).headline).toBe(
      'web reaches 1 endpoint of Service shop/web, but with problems',
    );
    expect(completeVerdictFor({}).headline).toBe('web reaches 1 endpoint of Service shop/web');
  });

  it('says that network policies decide if a step is unknown', () => {
    expect(verdictFor({ network: ['unknown'] })).toEqual({
      outcome: 'reached',
      verdict: 'web reaches 1 endpoint of Service shop/web, if network policies allow it.',
    });
  });
});
