import { describe, expect, it } from 'vitest';
import { clusterOf, pinToCurrentContext } from '../../src/client-node/kube-config.ts';
import { majors } from './support.ts';

describe.each(majors)('a KubeConfig of client-node $major', ({ KubeConfig }) => {
  const createConfig = () => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [
        { name: 'a', server: 'https://a', skipTLSVerify: false },
        { name: 'b', server: 'https://b', skipTLSVerify: false },
      ],
      users: [
        { name: 'a', token: 'of a' },
        { name: 'b', token: 'of b' },
      ],
      contexts: [
        { name: 'a', cluster: 'a', user: 'a' },
        { name: 'b', cluster: 'b', user: 'b' },
        { name: 'without-cluster', cluster: 'c', user: 'b' },
      ],
      currentContext: 'a',
    });
    return config;
  };

  it('pinToCurrentContext returns a copy that later changes to the original do not affect', async () => {
    const config = createConfig();
    const pinned = pinToCurrentContext(config);
    config.setCurrentContext('b');
    config.clusters.length = 0;
    expect(clusterOf(pinned).server).toBe('https://a');
    const options: { headers?: Record<string, string> } = {};
    await pinned.applyToHTTPSOptions(options);
    expect(options.headers).toEqual({ Authorization: 'Bearer of a' });
  });

  it('clusterOf throws if there is no current context, or its cluster is not defined', () => {
    const config = createConfig();
    config.setCurrentContext('without-cluster');
    expect(() => clusterOf(config)).toThrow(
      'current context "without-cluster" of the kubeconfig refers to a cluster that it does not define',
    );
    expect(() => clusterOf(new KubeConfig())).toThrow('no current context');
  });
});
