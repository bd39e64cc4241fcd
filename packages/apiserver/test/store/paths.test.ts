import { resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { defaultStoragePath } from '../../src/store/paths.ts';

test.each([
  [resources.pods, '/registry/pods'],
  [resources.services, '/registry/services/specs'],
  [resources.endpoints, '/registry/services/endpoints'],
  [resources.nodes, '/registry/minions'],
  [resources.leases, '/registry/leases'],
])('$plural are stored where the real server stores them', (resource, path) => expect(defaultStoragePath(resource)).toBe(path));
