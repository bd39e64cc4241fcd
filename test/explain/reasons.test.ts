import { describe, expect, it } from 'vitest';
import { explainService, type Reason, type ReasonCode, reasons } from '../../src/explain/index.ts';
import { explainEndpoints, explainSlices } from '../../src/index.ts';
import { explainLoadBalancer } from '../../src/load-balancer/index.ts';
import { explainReadiness } from '../../src/readiness/index.ts';
import type { Pod } from '../../src/types/index.ts';
import { gates } from '../../src/versions/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import { loadBalancerFixtures } from './load-balancer-reason-fixtures.ts';
import { podFixtures } from './pod-reason-fixtures.ts';
import { readinessFixtures } from './readiness-reason-fixtures.ts';
import type { ReasonFixture } from './reason-fixtures.ts';
import { serviceFixtures } from './service-reason-fixtures.ts';
import { hintsFixtures, sliceFixtures } from './slice-reason-fixtures.ts';

const toReason = ({ code, message, path, since, until }: ReasonFixture): Reason => ({
  code,
  message,
  path,
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
});

const readinessIn = (version: string) => (pod: Pod) => explainReadiness(pod, { version }).causes;

describe('explainEndpoints returns every reason about a pod', () => {
  it.each([...podFixtures, ...readinessFixtures])('$code in $version: $message', (fixture) => {
    const { version = '1.37', service = makeService(), pods = [makePod()] } = fixture;
    const explained = explainEndpoints(service, pods, { version, readiness: readinessIn(version) });
    expect(explained.at(-1)?.reasons).toContainEqual(toReason(fixture));
  });
});

describe('explainService returns every reason about a Service', () => {
  it.each(serviceFixtures)('$code in $version: $message', (fixture) => {
    const { version = '1.37', service = makeService(), pods = [makePod()], current, severity } = fixture;
    const { problems } = explainService(service, pods, { version, current });
    expect(problems).toContainEqual({ ...toReason(fixture), severity });
    expect(problems.filter(({ code }) => code === fixture.code).length).toBe(1);
  });
});

describe('explainService returns every reason about a load balancer', () => {
  it.each(loadBalancerFixtures)('$code: $message', ({ service, pods = [], balancedNodes: nodes, events, ...fixture }) => {
    const { problems } = explainService(service, pods, { loadBalancing: () => explainLoadBalancer({ service, nodes, events }) });
    expect(problems).toContainEqual({ ...toReason(fixture), severity: fixture.severity });
    for (const { message } of problems) expect(message).not.toMatch(/[{}]/);
  });
});

describe('explainSlices returns every reason about a pod in slices', () => {
  it.each(sliceFixtures)('$code in $version: $message', (fixture) => {
    const { version = '1.37', service = makeService(), pods = [makePod()], nodes } = fixture;
    const explained = explainSlices(service, pods, { version, nodes });
    const explainedReasons = [...explained.reasons, ...explained.pods.flatMap(({ reasons }) => reasons)];
    expect(explainedReasons).toContainEqual(toReason(fixture));
  });
});

describe('explainSlices returns every reason about hints', () => {
  it.each(hintsFixtures)('$code in $version: $message', (fixture) => {
    const { version = '1.37', service = makeService(), pods = [makePod()], nodes } = fixture;
    const [hints, ...more] = explainSlices(service, pods, { version, nodes }).hints;
    expect(more).toEqual([]);
    expect(hints?.reasons).toContainEqual(toReason(fixture));
  });
});

describe('the reason table', () => {
  const codes = Object.keys(reasons) as ReasonCode[];

  it('has a fixture for every code', () => {
    const about = (kind: 'pod' | 'service' | 'slices' | 'hints') => codes.filter((code) => reasons[code].about === kind);
    const [inPods, inServices, inSlices, inHints] = [
      [...podFixtures, ...readinessFixtures],
      [...serviceFixtures, ...loadBalancerFixtures],
      sliceFixtures,
      hintsFixtures,
    ].map((fixtures) => new Set(fixtures.map(({ code }) => code)));
    for (const code of about('pod')) expect(inPods?.has(code), code).toBe(true);
    for (const code of about('service')) expect(inServices?.has(code), code).toBe(true);
    for (const code of about('slices')) expect(inSlices?.has(code), code).toBe(true);
    for (const code of about('hints')) expect(inHints?.has(code), code).toBe(true);
  });

  it.each(codes)('%s has a sentence, a remedy, and a severity if it is about a Service or a cause in other objects', (code) => {
    const { about, severity, message, remedy, from, until } = reasons[code];
    expect(message).toMatch(/^[{A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
    expect(severity !== undefined).toBe(about === 'service' || about === 'cause');
    for (const gate of [from, until]) if (gate) expect(gates[gate]).toBeDefined();
  });

  it('has no placeholders that explanations leave unfilled', () => {
    for (const { version = '1.37', service = makeService(), pods = [makePod()], current } of [
      ...podFixtures,
      ...readinessFixtures,
      ...serviceFixtures,
    ]) {
      const { problems, pods: explained } = explainService(service, pods, { version, current, readiness: readinessIn(version) });
      for (const { message } of [...problems, ...explained.flatMap((pod) => pod.reasons)]) expect(message).not.toMatch(/[{}]/);
    }
    for (const { version = '1.37', service = makeService(), pods = [makePod()], nodes } of [...sliceFixtures, ...hintsFixtures]) {
      const explained = explainSlices(service, pods, { version, nodes });
      const allReasons = [
        ...explained.reasons,
        ...explained.pods.flatMap((pod) => pod.reasons),
        ...explained.hints.flatMap((hints) => hints.reasons),
      ];
      for (const { message } of allReasons) expect(message).not.toMatch(/[{}]/);
    }
  });
});

it('no remedy has placeholders, because only messages are filled in', () => {
  expect(Object.values(reasons).filter(({ remedy }) => /[{}]/.test(remedy ?? ''))).toStrictEqual([]);
});
