import { describe, expect, it } from 'vitest';
import { shouldPodBeInEndpoints } from '../../src/index.ts';
import type { Pod } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { versions } from '../property/releases.ts';

const podIP = '1.2.3.4';
const [running, pending, failed] = ['Running', 'Pending', 'Failed'].map((phase) => ({ phase, podIP }));
const [succeeded, unknown] = ['Succeeded', 'Unknown'].map((phase) => ({ phase, podIP }));
const deletionTimestamp = '2026-01-31T12:00:00Z';

/** The facts of TestShouldPodBeInEndpoints of Kubernetes 1.17.4, pkg/controller/endpoint/endpoints_controller_test.go. */
const factsOf117: readonly [name: string, pod: Pod, expected: boolean][] = [
  ['failed, Never', { spec: { restartPolicy: 'Never' }, status: { phase: 'Failed' } }, false],
  ['succeeded, Never', { spec: { restartPolicy: 'Never' }, status: { phase: 'Succeeded' } }, false],
  ['succeeded, OnFailure', { spec: { restartPolicy: 'OnFailure' }, status: { phase: 'Succeeded' } }, false],
  ['failed, Always', { spec: { restartPolicy: 'Always' }, status: { phase: 'Failed' } }, true],
  ['pending, Never', { spec: { restartPolicy: 'Never' }, status: { phase: 'Pending' } }, true],
  ['unknown, OnFailure', { spec: { restartPolicy: 'OnFailure' }, status: { phase: 'Unknown' } }, true],
];

/** The facts of the test of that name of Kubernetes 1.22.17, pkg/controller/util/endpoint/controller_utils_test.go. */
const factsOf122: readonly [name: string, pod: Pod, expected: boolean, includeTerminating?: boolean][] = [
  ['failed, Never', { spec: { restartPolicy: 'Never' }, status: failed }, false],
  ['succeeded, Never', { spec: { restartPolicy: 'Never' }, status: succeeded }, false],
  ['succeeded, OnFailure', { spec: { restartPolicy: 'OnFailure' }, status: succeeded }, false],
  ['running without an IP', { spec: { restartPolicy: 'Never' }, status: { phase: 'Running', podIP: '', podIPs: [] } }, false],
  ['being deleted', { metadata: { deletionTimestamp }, status: running }, false],
  ['failed, Always', { spec: { restartPolicy: 'Always' }, status: failed }, false],
  ['pending, Never', { spec: { restartPolicy: 'Never' }, status: pending }, true],
  ['unknown, OnFailure', { spec: { restartPolicy: 'OnFailure' }, status: unknown }, true],
  ['running, Never', { spec: { restartPolicy: 'Never' }, status: running }, true],
  [
    'running with IPs only in podIPs',
    { spec: { restartPolicy: 'Never' }, status: { phase: 'Running', podIPs: [{ ip: podIP }, { ip: '1234::5678:0000:0000:9abc:def0' }] } },
    true,
  ],
  ['being deleted, with includeTerminating', { metadata: { deletionTimestamp }, status: running }, true, true],
];

const releasesWith = (isShared: boolean): string[] => versions.filter((each) => profileFor(each).terminalPodsExcluded === isShared);

describe('shouldPodBeInEndpoints', () => {
  it.each(factsOf117)('decides about a pod that is %s as 1.17 does, in every release before #110255', (_, pod, expected) => {
    for (const version of releasesWith(false)) expect(shouldPodBeInEndpoints(pod, { version }), version).toBe(expected);
  });

  it.each(factsOf122)(
    'decides about a pod that is %s as 1.22.17 does, in every release since #110255',
    (_, pod, expected, includeTerminating = false) => {
      for (const version of releasesWith(true))
        expect(shouldPodBeInEndpoints(pod, { version, includeTerminating }), version).toBe(expected);
    },
  );

  it('uses the newest release by default, and refuses an unknown release', () => {
    expect(shouldPodBeInEndpoints({ status: { podIP } })).toBe(true);
    expect(shouldPodBeInEndpoints({ status: {} })).toBe(false);
    expect(() => shouldPodBeInEndpoints({}, { version: '1.38' })).toThrow(RangeError);
  });
});
