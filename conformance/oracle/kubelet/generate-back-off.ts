import type { Random } from '../random.ts';
import type { PullCase, RestartCase } from './case.ts';
import { makeKubeletPod, makeResources } from './generate-pod.ts';

/** Creates attempts to start containers again, over minutes or hours. Some change the container. */
export function makeRestartCase(random: Random): Omit<RestartCase, 'id'> {
  const pod = makeKubeletPod(random);
  const containers = [
    { name: 'a', image: 'web:1' },
    { name: 'a', image: 'web:2' },
    { name: 'b', image: 'web:1', resources: makeResources(random) },
    { name: 'b', image: 'web:1' },
  ].slice(0, random.pick([1, 1, 2, 4]));
  const { metadata } = pod;
  let at = 0;
  const attempts = Array.from({ length: 4 + random.int(20) }, () => {
    at += random.pick(pauses);
    const finishedAt = at - random.pick([0, 0, 500, 1000, 5000, 9999, 10_000, 40_000, 300_000]);
    return { at, container: random.pick(containers), collect: random.chance(0.1), ...random.maybe(0.9, () => ({ finishedAt })) };
  });
  return { pod: { metadata: metadata ?? {} }, maxRestartPeriod: random.pick([300_000, 300_000, 1000, 15_500, 600_000]), attempts };
}

const pauses = [0, 1, 500, 2000, 9999, 10_000, 10_001, 20_000, 40_000, 80_000, 160_000, 300_000, 599_999, 600_000, 600_001, 900_000];

/** Creates attempts to use images. */
export function makePullCase(random: Random): Omit<PullCase, 'id'> {
  const [uids, images] = [['u1', 'u2'].slice(random.int(2)), ['web:1', 'web:2'].slice(random.int(2))];
  let at = 0;
  const failShare = random.pick([0.3, 0.8]);
  const attempts = Array.from({ length: 4 + random.int(20) }, () => {
    at += random.pick(pauses);
    return {
      at,
      uid: random.pick(uids),
      image: random.pick(images),
      policy: random.pick(['Always', 'Always', 'IfNotPresent', 'IfNotPresent', 'Never'] as const),
      remove: random.chance(0.3),
      ...random.maybe(failShare, () => ({ fail: random.pick(pullErrors) })),
    };
  });
  return { attempts };
}

const pullErrors = ['not found', 'RegistryUnavailable: connection refused', 'SignatureValidationFailed'];
