import { CloudError } from 'kube-endpoints/load-balancer';

/** The module for `--cloud`: connects to the cloud of the test process at CLOUD_URL. */
export const createCloud = () => ({
  name: 'http',
  balancers: { get: call('get'), ensure: call('ensure'), update: call('update'), delete: call('delete'), list: call('list') },
});

const call =
  (verb) =>
  async ({ signal, ...request }) => {
    const response = await fetch(`${process.env.CLOUD_URL}/${verb}`, { method: 'POST', body: JSON.stringify(request), signal });
    const { result, error } = await response.json();
    if (error) throw new CloudError(error.code, error.message, error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter });
    return result ?? undefined;
  };
