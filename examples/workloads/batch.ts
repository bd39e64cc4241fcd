import type { NamespaceTable } from './model.ts';

/** Jobs behind Services: completed pods keep their addresses and labels. */
export const batch: NamespaceTable = {
  namespace: 'batch',
  services: [
    { name: 'report-runner', spec: { selector: { app: 'report-runner' }, ports: [{ name: 'status', port: 8080, targetPort: 'status' }] } },
    { name: 'thumbnailer', spec: { selector: { app: 'thumbnailer' }, ports: [{ port: 80, targetPort: 8080 }] } },
    {
      name: 'nightly-import',
      spec: { selector: { app: 'nightly-import' }, ports: [{ name: 'metrics', port: 9102, targetPort: 'metrics' }] },
    },
    {
      name: 'spark-driver',
      labels: { app: 'spark-driver' },
      spec: {
        clusterIP: 'None',
        selector: { app: 'spark-driver' },
        ports: [
          { name: 'driver-rpc', port: 7078, targetPort: 'driver-rpc' },
          { name: 'blockmanager', port: 7079, targetPort: 'blockmanager' },
        ],
      },
    },
  ],
  workloads: [
    {
      kind: 'Job',
      name: 'report-runner-29401980',
      labels: { app: 'report-runner', 'batch.kubernetes.io/job-name': 'report-runner-29401980' },
      restartPolicy: 'Never',
      revisions: [{ hash: 'reports', image: 'report-runner:3.3', ports: ['status:8080'], pods: { ready: 3, completed: 9, failed: 3 } }],
    },
    {
      kind: 'Job',
      name: 'thumbnailer-backfill',
      labels: { app: 'thumbnailer', 'batch.kubernetes.io/job-name': 'thumbnailer-backfill' },
      restartPolicy: 'OnFailure',
      revisions: [{ hash: 'thumbs', image: 'thumbnailer:1.12', pods: { ready: 4, crashing: 2, completed: 6, creating: 1 } }],
    },
    {
      kind: 'Job',
      name: 'nightly-import-29400480',
      labels: { app: 'nightly-import', 'batch.kubernetes.io/job-name': 'nightly-import-29400480' },
      restartPolicy: 'Never',
      revisions: [{ hash: 'import', image: 'nightly-import:2.6', ports: ['metrics:9102'], pods: { completed: 8, evicted: 1 } }],
    },
    {
      kind: 'Job',
      name: 'spark-basket-analysis',
      labels: { app: 'spark-driver', 'batch.kubernetes.io/job-name': 'spark-basket-analysis' },
      restartPolicy: 'Never',
      subdomain: 'spark-driver',
      revisions: [
        { hash: 'spark', image: 'spark:3.5.4', ports: ['driver-rpc:7078', 'blockmanager:7079'], pods: { ready: 1, completed: 2 } },
      ],
    },
  ],
};
