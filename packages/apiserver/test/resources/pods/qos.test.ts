import { expect, test } from 'vitest';
import { qosOf } from '../../../src/resources/pods/qos.ts';

const both = { cpu: '1', memory: '1Gi' };
const pod = (...containers: object[]): Record<string, unknown> => ({ containers: containers.map((resources) => ({ resources })) });

test.each([
  [pod({}), 'BestEffort'],
  [pod({ limits: both, requests: both }), 'Guaranteed'],
  [pod({ limits: both, requests: { cpu: '1000m', memory: '1024Mi' } }), 'Guaranteed'],
  [pod({ limits: both, requests: both }, {}), 'Burstable'],
  [pod({ limits: both, requests: { cpu: '1' } }), 'Burstable'],
  [pod({ requests: { cpu: '1' } }), 'Burstable'],
  [pod({ requests: { 'example.com/gpu': '1' } }), 'BestEffort'],
  [pod({ requests: { cpu: '0' } }), 'BestEffort'],
  [{ ...pod({}), resources: { limits: both, requests: both } }, 'Guaranteed'],
  [{ ...pod({ requests: both }), resources: {} }, 'BestEffort'],
])('%j', (spec, qos) => expect(qosOf(spec)).toBe(qos));
