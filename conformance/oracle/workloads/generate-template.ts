import type { Random } from '../random.ts';

/** A Pod template, mostly a small one, with fields of all kinds: its hash depends on every field. */
export const randomTemplate = (random: Random): object => ({
  metadata: { labels: { app: 'web' }, ...random.maybe(0.2, () => ({ annotations: { b: 'x y', a: 'ü"\n' } })) },
  spec: { containers: [randomContainer(random)], ...(random.chance(0.3) && randomPodFields(random)) },
});

const randomContainer = (random: Random): object => ({
  name: 'c',
  image: random.pick(['a', 'b', 'd']),
  ...(random.chance(0.3) && randomContainerFields(random)),
});

const randomContainerFields = (random: Random): object => ({
  ...random.maybe(0.5, () => ({ command: ['sh', '-c'], args: ['echo $(A)'] })),
  ...random.maybe(0.5, () => ({ ports: [{ containerPort: 80, protocol: 'TCP', ...random.maybe(0.5, () => ({ name: 'http' })) }] })),
  ...random.maybe(0.5, () => ({
    env: [
      { name: 'A', value: 'b' },
      { name: 'B', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
      { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: random.chance(0.5) } } },
    ],
    envFrom: [{ prefix: 'p', configMapRef: { name: 'm' } }],
  })),
  ...random.maybe(0.6, () => ({
    resources: {
      limits: { cpu: random.pick(['100m', '1', '500m', '2', '1500m']), memory: random.pick(['128Mi', '100Mi', '1Gi', '1G', '1500M']) },
      ...random.maybe(0.5, () => ({ requests: { 'ephemeral-storage': random.pick(['1k', '0', '3Ti', '100e6']) } })),
    },
  })),
  ...random.maybe(0.5, () => ({
    readinessProbe: {
      httpGet: { path: '/', port: random.pick<number | string>([80, 'http']), scheme: 'HTTP', httpHeaders: [{ name: 'h', value: 'v' }] },
      periodSeconds: 10,
    },
    livenessProbe: { tcpSocket: { port: 8080 }, terminationGracePeriodSeconds: 3 },
    lifecycle: { preStop: { exec: { command: ['sleep', '5'] } }, postStart: { sleep: { seconds: 1 } } },
  })),
  ...random.maybe(0.5, () => ({
    securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
    imagePullPolicy: 'Always',
    stdin: true,
    volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true, mountPropagation: 'None' }],
  })),
});

const randomPodFields = (random: Random): object => ({
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  ...random.maybe(0.5, () => ({
    volumes: [
      { name: 'v', emptyDir: random.pick<object>([{}, { medium: 'Memory', sizeLimit: '1Gi' }]) },
      { name: 'w', configMap: { name: 'm', items: [{ key: 'k', path: 'p', mode: 420 }], defaultMode: 420 } },
      { name: 'x', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 'token' } }] } },
    ],
  })),
  ...random.maybe(0.5, () => ({
    nodeSelector: { z: '1', a: '2' },
    tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
              topologyKey: 'zone',
            },
          },
        ],
      },
    },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 }],
  })),
  ...random.maybe(0.5, () => ({
    serviceAccountName: 'sa',
    serviceAccount: 'sa',
    automountServiceAccountToken: false,
    securityContext: random.pick<object>([{}, { fsGroup: 1000, sysctls: [{ name: 'a', value: 'b' }] }]),
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }],
    dnsPolicy: 'ClusterFirst',
    dnsConfig: { options: [{ name: 'ndots', value: '2' }, { name: 'x' }] },
    initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always' }],
    imagePullSecrets: [{ name: 's' }],
    overhead: { cpu: '250m' },
    priority: 5,
    hostNetwork: true,
    enableServiceLinks: true,
  })),
});
