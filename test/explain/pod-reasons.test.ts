import { describe, expect, it } from 'vitest';
import { createExclusionReasons, createPortReasons, findPublishingField } from '../../src/explain/pod-reasons.ts';
import { createPodEvaluator } from '../../src/spec/index.ts';
import type { Service } from '../../src/types/index.ts';
import { profileFor } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';

const createEvaluator = (service: Service = makeService(), version = '1.37') => createPodEvaluator(service, profileFor(version));
const tolerateAnnotation = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';

describe('createExclusionReasons', () => {
  it('returns only CutByCapacity for a pod that was offered as an endpoint', () => {
    const pod = makePod('a', { metadata: { labels: {} } });
    expect(createExclusionReasons(createEvaluator(), pod, true).map(({ code }) => code)).toEqual(['CutByCapacity']);
  });

  it('returns no IP family reason for a pod without IP', () => {
    const pod = makePod('a', { status: { podIP: '', podIPs: [] } });
    expect(createExclusionReasons(createEvaluator(makeService({ ipFamilies: ['IPv6'] })), pod, false).map(({ code }) => code)).toEqual([
      'PodHasNoIP',
    ]);
  });

  it('names the phase and the restart policy', () => {
    const pod = makePod('a', { ready: false, spec: { restartPolicy: 'OnFailure' }, status: { phase: 'Succeeded' } });
    expect(createExclusionReasons(createEvaluator(makeService(), '1.20'), pod, false).map(({ message }) => message)).toEqual([
      'The pod is not ready, has ended with phase Succeeded and is not restarted (restartPolicy OnFailure).',
    ]);
  });
});

describe('createPortReasons', () => {
  it('returns a reason per unresolved port, with the path of the port', () => {
    const service = makeService({
      ports: [
        { port: 80, targetPort: 'x', protocol: 'TCP' },
        { port: 81, targetPort: 1 },
        { name: 'y', port: 82, targetPort: 'y', protocol: 'UDP' },
      ],
    });
    expect(createPortReasons(createEvaluator(service), makePod()).map(({ path }) => path)).toEqual([
      'service.spec.ports[0].targetPort',
      'service.spec.ports[2].targetPort',
    ]);
  });

  it('returns no reasons for a headless Service without ports', () => {
    expect(createPortReasons(createEvaluator(makeService({ ports: [], clusterIP: 'None' })), makePod())).toEqual([]);
    expect(createPortReasons(createEvaluator(makeService({ ports: [], clusterIP: '' })), makePod()).map(({ code }) => code)).toEqual([
      'ServiceHasNoPorts',
    ]);
  });
});

describe('findPublishingField', () => {
  const service = (value: string) => makeService({ publishNotReadyAddresses: true }, { annotations: { [tolerateAnnotation]: value } });
  it.each([
    ['1.23', 'true', tolerateAnnotation],
    ['1.23', 'perhaps', 'publishNotReadyAddresses'],
    ['1.24', 'true', 'publishNotReadyAddresses'],
  ])('in %s with the annotation value %s, returns %s', (version, value, field) => {
    expect(findPublishingField(createEvaluator(service(value), version)).field).toBe(field);
  });
});
