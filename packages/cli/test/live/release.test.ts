import { ApiError, type Status } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/io.ts';
import { releaseFor, releaseOfServer } from '../../src/live/release.ts';

test.each<[string | undefined, string, string | undefined]>([
  ['v1.29.3', '1.29.3', undefined],
  ['v1.29.3+k3s1', '1.29.3', undefined],
  ['v1.29.1-gke.1589020', '1.29.1', undefined],
  ['v1.30.0-rc.1', '1.30.0', undefined],
  ['1.28', '1.28', undefined],
  ['v1.29.99-eks-1', '1.29', 'of which only the last known patch release of 1.29 is known'],
  ['v1.99.0', '1.37', 'which is newer than all known releases'],
  ['v1.38.0-alpha.1', '1.37', 'which is newer than all known releases'],
  ['v1.5.0', '1.9', 'which is older than all known releases'],
  ['v2.0.0', '1.37', 'which is not known'],
  ['nonsense', '1.37', 'which is not known'],
  [undefined, '1.37', 'which is not known'],
])('for the server version %s, releaseOfServer returns %s', (gitVersion, version, difference) => {
  expect(releaseOfServer(gitVersion)).toStrictEqual(difference === undefined ? { version } : { version, difference });
});

describe('the release to follow for a cluster', () => {
  async function followed(answer: string | Error, flags: Parameters<typeof releaseFor>[0] = {}, env: Record<string, string> = {}) {
    const messages: string[] = [];
    let askedCount = 0;
    const serverVersion = async () => {
      askedCount++;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const release = await releaseFor(flags, { serverVersion, description: 'prod' }, { env }, (prefix, text) =>
      messages.push(`${prefix}: ${text}`),
    );
    return { version: release.version, messages, askedCount };
  }

  test('is the release of the cluster, and a hint says so', async () => {
    expect(await followed('v1.29.3+k3s1')).toEqual({
      version: '1.29.3',
      messages: ['hint: prod runs Kubernetes v1.29.3+k3s1: follows 1.29.3; --release selects another.'],
      askedCount: 1,
    });
    expect((await followed('v1.99.1')).messages).toEqual([
      'hint: prod runs Kubernetes v1.99.1, which is newer than all known releases: follows 1.37; --release selects another.',
    ]);
  });

  test('is that of --release or the environment, and then the cluster is not asked', async () => {
    expect(await followed('v1.29.3', { release: '1.20' })).toEqual({ version: '1.20', messages: [], askedCount: 0 });
    expect(await followed('v1.29.3', {}, { KUBE_ENDPOINTS_RELEASE: '1.21' })).toEqual({ version: '1.21', messages: [], askedCount: 0 });
  });

  test('must have the given feature gates', async () => {
    await expect(followed('v1.9.0', { featureGates: { IPv6DualStack: true } })).rejects.toThrow(UsageError);
  });

  test('is the newest if the cluster does not answer the question', async () => {
    const forbidden = new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'no',
      code: 403,
    } as Status);
    expect(await followed(forbidden)).toMatchObject({
      version: '1.37',
      messages: ['hint: The release of the cluster is unknown (no): follows Kubernetes 1.37; --release selects another.'],
    });
  });

  test('is unknown if the cluster cannot be reached', async () => {
    await expect(followed(new Error('ECONNREFUSED'))).rejects.toThrow(new UsageError('prod cannot be read: ECONNREFUSED'));
  });
});
