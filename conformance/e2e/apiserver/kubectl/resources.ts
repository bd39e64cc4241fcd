import { widgets } from '../script/definitions.ts';
import { type Chapter, failing, k, withInput, withKnownDifference } from './command.ts';

const NS = '-n k-cr';
const widget = { apiVersion: 'script.example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 2, replicas: 1 } };
const TEXTS = 'the descriptions are words of our own';
const OURS = 'only what is served here is listed';

export const resources: Chapter = {
  name: 'resources, discovery, custom resources',
  commands: [
    k('version', /Server Version: v1\.36\./),
    k('cluster-info', 'Kubernetes control plane'),
    withKnownDifference(OURS, k('api-versions', 'v1', 'discovery.k8s.io/v1', 'apiextensions.k8s.io/v1')),
    withKnownDifference(
      OURS,
      k(
        'api-resources',
        /^services\s+svc\s+v1\s+true\s+Service$/m,
        /^nodes\s+no\s+v1\s+false\s+Node$/m,
        /^endpointslices\s+discovery\.k8s\.io\/v1\s+true\s+EndpointSlice$/m,
        /^customresourcedefinitions\s+crd,crds\s+apiextensions\.k8s\.io\/v1\s+false\s+CustomResourceDefinition$/m,
      ),
    ),
    k('api-resources --api-group=discovery.k8s.io', 'endpointslices'),
    k(
      'api-resources --api-group=events.k8s.io -o wide',
      /events\s+ev\s+events\.k8s\.io\/v1\s+true\s+Event\s+create,delete,deletecollection,get,list,patch,update,watch/,
    ),
    withKnownDifference(
      OURS,
      k(
        'api-resources --namespaced=false --api-group=admissionregistration.k8s.io --verbs=list -o name',
        'mutatingwebhookconfigurations.admissionregistration.k8s.io',
      ),
    ),
    withKnownDifference(TEXTS, k('explain service', 'KIND:       Service', 'VERSION:    v1', 'spec\t<ServiceSpec>')),
    withKnownDifference(TEXTS, k('explain service.spec.ports', /FIELD: ports <\[\]ServicePort>/, 'nodePort\t<integer>')),
    withKnownDifference(TEXTS, k('explain pod.spec.containers.resources', 'FIELD: resources <ResourceRequirements>')),
    withKnownDifference(TEXTS, k('explain endpointslice --recursive', 'addressType\t<string> -required-')),
    withKnownDifference(TEXTS, k('explain configmap.data', 'FIELD: data <map[string]string>')),
    failing(k('explain service.spec.nothing', 'field "nothing" does not exist')),
    failing(k('explain nothing', 'the server doesn\'t have a resource type "nothing"')),
    k('create namespace k-cr', 'created'),
    withInput(widgets(), k('apply -f -', 'customresourcedefinition.apiextensions.k8s.io/widgets.script.example.com created')),
    k('wait crd/widgets.script.example.com --for=condition=Established --timeout=60s', 'condition met'),
    withInput(widget, k(`apply -f - ${NS}`, 'widget.script.example.com/w created')),
    withInput(widget, k(`apply -f - ${NS}`, 'widget.script.example.com/w unchanged')),
    withInput({ ...widget, spec: { size: 3, replicas: 1 } }, k(`apply -f - ${NS}`, 'widget.script.example.com/w configured')),
    withInput({ ...widget, spec: { size: 99 } }, failing(k(`apply -f - ${NS}`, 'spec.size: Invalid value: 99'))),
    withInput({ ...widget, spec: { size: 3, unknown: 1 } }, failing(k(`apply -f - ${NS}`, 'unknown field "spec.unknown"'))),
    k(`get widgets ${NS}`, /NAME\s+SIZE\s+PHASE\s+AGE\nw\s+3/),
    k(`get wd ${NS} -o wide`, /NAME\s+SIZE\s+PHASE\s+WHEN\s+AGE/),
    k(`get toys ${NS}`, 'w'),
    k(`get widget w ${NS} -o yaml`, 'kind: Widget', 'colour: red'),
    k(`get widgets ${NS} --field-selector=spec.colour=red -o name`, 'widget.script.example.com/w'),
    k(`scale widget w ${NS} --replicas=4`, 'widget.script.example.com/w scaled'),
    failing(k(`scale widget w ${NS} --replicas=5 --current-replicas=9`, 'Expected replicas to be 9, was 4')),
    k(`get widget w ${NS} -o jsonpath='{.spec.replicas}'`, '4'),
    k(`patch widget w ${NS} --type=merge -p '{"spec":{"colour":"green"}}'`, 'patched'),
    failing(k(`patch widget w ${NS} -p '{"spec":{"colour":"green"}}'`, 'the body of the request was in an unknown format')),
    k(`patch widget w ${NS} --subresource=status --type=merge -p '{"status":{"phase":"Good"}}'`, 'patched'),
    k(`describe widget w ${NS}`, /Name:\s+w/, /Phase:\s+Good/),
    k(`wait widget/w ${NS} --for=jsonpath='{.status.phase}'=Good --timeout=60s`, 'condition met'),
    k('explain widget.spec', 'FIELD: spec <Object>', 'size\t<integer>'),
    k('explain widget --recursive', 'colour\t<string>'),
    k(`delete widget w ${NS} --cascade=foreground --wait=false`, 'widget.script.example.com "w" deleted'),
    k('delete crd widgets.script.example.com', 'customresourcedefinition.apiextensions.k8s.io "widgets.script.example.com" deleted'),
    k('wait crd/widgets.script.example.com --for=delete --timeout=60s'),
    failing(k(`get widgets.script.example.com ${NS}`, /doesn't have a resource type|could not find the requested resource/)),
    k('delete namespace k-cr --wait=false', 'namespace "k-cr" deleted'),
    withKnownDifference(
      'SelfSubjectAccessReview is not supported',
      failing(k('auth can-i create pods', /could not find the requested resource/)),
    ),
    withKnownDifference('SelfSubjectReview is not supported', failing(k('auth whoami', /the selfsubjectreviews API is not enabled/))),
  ],
};
