import type { V1Endpoints, V1Pod, V1Service } from '@kubernetes/client-node';
import type { Endpoints as KubernetesEndpoints, Pod as KubernetesPod, Service as KubernetesService } from 'kubernetes-types/core/v1.js';
import { describe, expectTypeOf, it } from 'vitest';
import type { Endpoints, EndpointsInput, Pod, Service } from '../src/types/index.ts';

describe('the types accept', () => {
  it('objects of @kubernetes/client-node', () => {
    expectTypeOf<V1Service>().toExtend<Service>();
    expectTypeOf<V1Pod>().toExtend<Pod>();
    expectTypeOf<V1Endpoints>().toExtend<EndpointsInput>();
  });

  it('objects of kubernetes-types', () => {
    expectTypeOf<KubernetesService>().toExtend<Service>();
    expectTypeOf<KubernetesPod>().toExtend<Pod>();
    expectTypeOf<KubernetesEndpoints>().toExtend<EndpointsInput>();
  });

  it('their own results', () => {
    expectTypeOf<Endpoints>().toExtend<EndpointsInput>();
  });

  it('null and absent fields', () => {
    expectTypeOf<{ metadata: null; spec: undefined }>().toExtend<Service>();
    expectTypeOf<{ status: { podIP: null; conditions: null } }>().toExtend<Pod>();
  });
});
