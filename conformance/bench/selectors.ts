import type { Pod, Service } from 'kube-endpoints/types';

/**
 * A Service of a namespace with many teams. All selectors share two labels; every two Services have their own app name, and one of the two
 * also selects a component. Every pod belongs to two Services.
 */
export const createService = (index: number): Service => ({
  metadata: { name: `service-${index}`, namespace: 'shop' },
  spec: {
    selector: {
      'app.kubernetes.io/part-of': 'shop',
      env: 'production',
      'app.kubernetes.io/name': `app-${index >> 1}`,
      ...(index % 2 === 1 && { 'app.kubernetes.io/component': 'web' }),
    },
  },
});

export const createPod = (index: number): Pod => ({
  metadata: {
    name: `pod-${index}`,
    namespace: 'shop',
    labels: {
      'app.kubernetes.io/part-of': 'shop',
      'app.kubernetes.io/name': `app-${index}`,
      'app.kubernetes.io/component': 'web',
      env: 'production',
      'pod-template-hash': '5d9c7b8f6d',
    },
  },
});
