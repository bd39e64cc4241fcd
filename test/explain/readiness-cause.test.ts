import { describe, expect, it } from 'vitest';
import { explainEndpoints, explainService } from '../../src/explain/index.ts';
import { causeReason } from '../../src/explain/readiness-cause.ts';
import type { ReadinessCause } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const cause: ReadinessCause = { code: 'ContainerUnknown', path: 'pod.spec.containers[0]', values: { container: 'app' } };
const readiness = () => [cause];
const codesOf = (pod = makePod(), service = makeService()) =>
  explainEndpoints(service, [pod], { readiness }).flatMap(({ reasons }) => reasons.map(({ code }) => code));

describe('causes of readiness', () => {
  it('are reasons in the words of the release', () => {
    expect(causeReason(cause, profileFor('1.28'))).toEqual({
      code: 'ContainerUnknown',
      message: 'Nothing is known of the container app.',
      path: 'pod.spec.containers[0]',
    });
  });

  it('follow the reason that a pod is not ready, and no other', () => {
    expect(codesOf(makePod('a', { ready: false }))).toEqual(['PodNotReady', 'ContainerUnknown']);
    expect(codesOf()).toEqual(['PodReady']);
    expect(codesOf(makePod('a', { ready: false }), makeService({ publishNotReadyAddresses: true }))).toEqual(['PodPublishedNotReady']);
    expect(codesOf(makePod('a', { ready: false, metadata: { labels: {} } }))).toEqual(['PodLabelsDoNotMatch']);
  });

  it('are told of Services, too', () => {
    const { pods } = explainService(makeService(), [makePod('a', { ready: false })], { readiness });
    expect(pods[0]?.reasons.map(({ code }) => code)).toEqual(['PodNotReady', 'ContainerUnknown']);
  });

  it('are not asked of a pod that is ready, but stands beside one that is not under its address', () => {
    const pods = [makePod('a', { ready: false, metadata: { uid: 'same' } }), makePod('b', { metadata: { uid: 'same' } })];
    const explained = explainEndpoints(makeService(), pods, { readiness });
    expect(explained.map(({ reasons }) => reasons.length)).toEqual([2, 1]);
  });
});
