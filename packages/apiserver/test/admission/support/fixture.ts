import { createIPBitmap, createPortAllocator } from 'kube-endpoints/allocators';
import type { Resource } from 'kube-endpoints/port';
import { createWebhookAdmission, type WebhookAdmission, type WebhookAdmissionOptions } from '../../../src/admission/index.ts';
import {
  createBuiltInStrategies,
  createRegistry,
  type Registry,
  type ResourceStrategy,
  randomnessFrom,
} from '../../../src/registry/index.ts';
import { createStore, type Store } from '../../../src/store/index.ts';
import { seeded } from '../../registry/support.ts';
import { createClock, type ManualClock } from '../../store/support.ts';

export interface Fixture {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly admission: WebhookAdmission;
  readonly registry: Registry;
}

/** Creates a registry of all built-in resources that calls webhooks, with a manual clock. */
export function createFixture(
  options: Partial<WebhookAdmissionOptions> = {},
  strategies: readonly ResourceStrategy[] = createFixtureStrategies(),
): Fixture {
  const clock = createClock(Date.parse('2026-01-02T03:04:05Z'));
  const store = createStore({ clock });
  const randomness = randomnessFrom(seeded());
  const admission = createWebhookAdmission({ store, getServedResources: () => registry, clock, randomness, ...options });
  const registry: Registry = createRegistry({ store, clock, strategies, randomness, admission });
  return { store, clock, admission, registry };
}

export function createFixtureStrategies(): ResourceStrategy[] {
  const draw = seeded();
  return createBuiltInStrategies({
    clusterIPs: { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) },
    defaultFamily: 'IPv4',
    nodePorts: createPortAllocator({ draw }),
  });
}

export const configurationResources: Readonly<Record<'mutating' | 'validating', Resource>> = {
  mutating: createConfigurationResource('MutatingWebhookConfiguration'),
  validating: createConfigurationResource('ValidatingWebhookConfiguration'),
};

function createConfigurationResource(kind: string): Resource {
  return { group: 'admissionregistration.k8s.io', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced: false };
}
