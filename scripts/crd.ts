import { group, kind, plural, version } from '../src/api/names.ts'
import { specSchema } from '../src/api/schema.ts'
import { statusSchema } from '../src/api/status-schema.ts'
import { type StructuralSchema, structuralSchema } from './structural-schema.ts'

interface Rule {
  readonly rule: string
  readonly message: string
}

/**
 * The rules across fields. An object that an older CRD let in must still take a status, lose a finalizer and be deleted,
 * and a root or spec rule that it breaks would refuse all of that: so each rule lets an unchanged spec pass. What no
 * rule can let pass is a field of the wrong type, such as the text "10": reading it is an error, until it is mended.
 */
const specRules: readonly Rule[] = [
  {
    rule: '[has(self.intervalSeconds), has(self.interval_seconds), has(self.schedule)].filter(x, x).size() == 1',
    message: 'write exactly one of intervalSeconds and schedule (interval_seconds is the older spelling)',
  },
  { rule: 'has(self.schedule) || !has(self.timeZone)', message: 'timeZone goes with schedule; remove it' },
  {
    rule: '!(has(self.schedule) && has(self.firstRun))',
    message: 'firstRun goes with intervalSeconds; remove it (firstRun: null)',
  },
  {
    rule: "!has(self.schedule) || !self.schedule.matches('[Tt][Zz]=')",
    message: 'schedule: write the time zone into timeZone, not into the schedule',
  },
  {
    rule: "!has(self.schedule) || !self.schedule.contains('@every')",
    message: 'schedule: @every has no fixed times; write intervalSeconds in place of schedule',
  },
  {
    rule: `!has(self.schedule) || self.schedule.contains('@every') || self.schedule.matches('^\\\\s*(@[a-zA-Z]+|\\\\S+(\\\\s+\\\\S+){4,5})\\\\s*$')`,
    message:
      'schedule: write 6 fields (seconds first), 5 fields (minutes first), or one of @hourly @daily @midnight @weekly @monthly @yearly @annually',
  },
  {
    rule: "!has(self.timeZone) || self.timeZone.matches('^[A-Za-z]')",
    message: 'timeZone: write the name of a time zone, such as Europe/Berlin',
  },
  {
    rule: '[has(self.jobTemplate), has(self.image)].filter(x, x).size() == 1',
    message: 'write exactly one of jobTemplate and image',
  },
  {
    rule: 'has(self.image) || !(has(self.name) || has(self.command) || has(self.args))',
    message: 'name, command and args go with image; with jobTemplate write them into its containers',
  },
]

/** What only a new object must have: whatever else breaks a rule of the root could never be patched again. */
const rootRules: readonly Rule[] = [
  {
    rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$')",
    message: 'metadata.name must be at most 52 lower case letters, digits and -, so that the names of its Jobs fit',
  },
  {
    rule: 'has(self.spec)',
    message: 'write a spec: when to run (intervalSeconds or schedule) and what (image or jobTemplate)',
  },
]

/**
 * What lets an old object pass comes last: it may compare the whole spec, field by field, and the API server asks all rules
 * again at every write of a status.
 */
function validations(rules: readonly Rule[], letsPass: string): readonly StructuralSchema[] {
  return rules.map(({ rule, message }) => ({ rule: `${rule} || ${letsPass}`, message, optionalOldSelf: true }))
}

const columns = [
  { name: 'Schedule', type: 'string', jsonPath: '.status.observedSchedule' },
  { name: 'Suspend', type: 'boolean', jsonPath: '.spec.suspend' },
  { name: 'Active', type: 'integer', jsonPath: '.status.activeCount' },
  { name: 'Last', type: 'date', jsonPath: '.status.lastScheduleTime' },
  // A `date` column prints <invalid> for a time to come.
  { name: 'Next', type: 'string', jsonPath: '.status.nextScheduleTime' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
]

/** The CustomResourceDefinition, as plain JSON. */
export function customResourceDefinition(): StructuralSchema {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        shortNames: ['scj'],
        categories: ['all'],
      },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: rootSchema() },
        },
      ],
    },
  }
}

function rootSchema(): StructuralSchema {
  return {
    type: 'object',
    description: 'Runs a Job every so many seconds, or at the times of a cron text with seconds.',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        description: 'When to run, and what.',
        ...structuralSchema(specSchema),
        'x-kubernetes-validations': validations(specRules, '(oldSelf.hasValue() && self == oldSelf.value())'),
      },
      status: { description: 'Written by the operator.', ...structuralSchema(statusSchema) },
    },
    'x-kubernetes-validations': validations(rootRules, 'oldSelf.hasValue()'),
  }
}
