import { type Markup, markup } from 'kube-endpoints/internal';

/** The part of the page's program that shows the state of the cluster at the chosen time. */
export const stateScript: Markup = markup`
const tones = { ready: 'good', 'not ready': 'bad', terminating: 'bad', open: 'good' };
const toneOf = (text) => tones[text] ?? '';

function showPods() {
  const rows = data.pods.flatMap((pod, i) => {
    const [state] = valuesOf(pod) ?? [-1];
    if (state < 0) return [];
    const [node, ip, phase, ready, terminating, listener] = data.podStates[state];
    const texts = [phase, ready, terminating || 'no', listener];
    return [[i + ' ' + state, () => [cell([pod.name, create('small', {}, [ip, node].filter((text) => text !== '').join(' on '))]), ...texts.map((text) => cell(text, toneOf(text)))]]];
  });
  fillTable('pods', rows);
}

function showEndpoints() {
  const rows = data.endpoints.flatMap(({ name, changes }) => {
    const values = valuesOf({ changes }) ?? [];
    return values.length === 0 ? [] : [[name + values, () => [cell(name), ...values.map((index) => cell(drawAddresses(listOf(index))))]]];
  });
  fillTable('endpoints', rows);
}

/** The routes of components of some kinds; components with the same routes are one group. */
function groupRoutes(...kinds) {
  const groups = new Map();
  for (const { actor, service, port, changes } of data.routes) {
    const slash = actor.indexOf('/');
    const kind = actor.slice(0, slash);
    const values = valuesOf({ changes });
    if (!kinds.includes(kind) || !values) continue;
    const key = JSON.stringify([kind, service, port, values]);
    const group = groups.get(key) ?? { kind, target: port === '' ? service : service + ':' + port, service, values, names: [] };
    groups.set(key, group);
    group.names.push(actor.slice(slash + 1));
  }
  return [...groups].map(([key, group]) => [key + joinNames(group.names), group]);
}

function reasonsOf([, closed, notOpen]) {
  const closedOnes = listOf(closed).map((each) => [each, 'listener closed']);
  return new Map([...closedOnes, ...listOf(notOpen).map((each) => [each, 'not listening yet'])]);
}

const drawRoute = (values) => drawAddresses(listOf(values[0]), reasonsOf(values));
const locations = {
  'kube-proxy': (names) => 'pods on ' + names,
  dns: (names) => 'pods on ' + names + ', which connect to the addresses of the name',
  ingress: (names) => 'outside, through the ingress proxy ' + names,
  'load-balancer': (names) => 'outside, through the load balancer ' + names,
};

function showRequests() {
  const rows = groupRoutes('kube-proxy', 'dns', 'ingress', 'load-balancer').map(([key, { kind, target, values, names }]) => [key, () => {
    const reasons = reasonsOf(values);
    const share = values[3] ? 1 : (reasons.size / Math.max(1, listOf(values[0]).length)) ** (1 + data.retries);
    const percent = share > 0 && share < 0.01 ? 'less than 1%' : Math.round(share * 100) + '%';
    const why = values[3] ? 'no endpoint' : reasons.size === 0 ? '–' : drawAddresses([...reasons.keys()], reasons);
    return [cell(locations[kind](joinNames(names))), cell(target), cell(share > 0 ? percent + ' fail' : 'none fails', share > 0 ? 'bad' : 'good'), cell(why)];
  }]);
  fillTable('requests', rows);
}

function showRoutes() {
  const rowsOf = (...kinds) => groupRoutes(...kinds).map(([key, { kind, target, values, names }]) => [key, () =>
    [cell(kind === 'kube-proxy' || kind === 'dns' ? joinNames(names) : kind + ' ' + joinNames(names)), cell(target), cell(drawRoute(values))]]);
  fillTable('proxies', rowsOf('kube-proxy'));
  fillTable('balancers', rowsOf('load-balancer', 'ingress'));
  const services = data.services.flatMap((service) => {
    const [address = ''] = valuesOf(service) ?? [];
    return address === '' || address === 'None' ? [] : [[service.name + address, () => [cell(nameOf(service.name)), cell('all'), cell(address + ', the cluster IP')]]];
  });
  const headless = groupRoutes('dns').map(([key, { service, values, names }]) => [key, () => [cell(nameOf(service)), cell(joinNames(names)), cell(drawRoute(values))]]);
  fillTable('records', [...services, ...headless]);
}

function nameOf(service) {
  const [namespace, name] = service.split('/');
  return name + '.' + namespace + '.svc';
}
`;
