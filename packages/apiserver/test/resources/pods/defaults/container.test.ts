import { expect, test } from 'vitest';
import { roundResources } from '../../../../src/resources/field/resource-list.ts';
import { defaultContainer, defaultFieldRef, pullPolicyOf, tagOf } from '../../../../src/resources/pods/defaults/container.ts';

test('defaultContainer sets defaults of image, ports, env, probes and lifecycle', () => {
  const container = {
    image: 'web:1',
    ports: [{ containerPort: 1 }],
    env: [{ valueFrom: { fieldRef: {} } }],
    livenessProbe: { httpGet: {} },
    readinessProbe: { grpc: {}, periodSeconds: 5 },
    lifecycle: { preStop: { httpGet: { path: '/x' } } },
  };
  defaultContainer(container);
  expect(container).toMatchObject({
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ports: [{ protocol: 'TCP' }],
    env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
    livenessProbe: {
      httpGet: { path: '/', scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    readinessProbe: { grpc: { service: '' }, periodSeconds: 5 },
    lifecycle: { preStop: { httpGet: { path: '/x', scheme: 'HTTP' } } },
  });
});

test('roundResources rounds up to a thousandth, and defaultFieldRef ignores a source without fieldRef', () => {
  const draft = { limits: { cpu: '0.0001', memory: '1Gi' } };
  roundResources(draft.limits);
  expect(draft).toEqual({ limits: { cpu: '1m', memory: '1Gi' } });
  const source = {};
  defaultFieldRef(source);
  expect(source).toEqual({});
});

const digest = `sha256:${'0'.repeat(64)}`;

test.each([
  ['web', 'latest'],
  ['web:1.2', '1.2'],
  ['a/b/c', 'latest'],
  ['localhost:5000/web', 'latest'],
  ['localhost:5000/web:x', 'x'],
  ['[fd00::1]:5000/web:x', 'x'],
  ['Registry/web', 'latest'],
  [`web@${digest}`, undefined],
  [`web:x@${digest}`, 'x'],
  ['Web', undefined],
  ['a b', undefined],
  ['', undefined],
  ['web:', undefined],
  ['a'.repeat(64), undefined],
  [`images.example.com/${'a'.repeat(250)}`, undefined],
])('tagOf returns the tag of %s', (image, tag) => expect(tagOf(image)).toBe(tag));

test('pullPolicyOf returns Always for the tag latest', () => {
  expect([pullPolicyOf('web'), pullPolicyOf('web:latest'), pullPolicyOf('web:1')]).toEqual(['Always', 'Always', 'IfNotPresent']);
});
