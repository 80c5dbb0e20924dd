/** A new job: without the number that the engine adds, and without the fields that change during its attempts. */
export type NewJob = {
  readonly orderingKey: string
  readonly kind: 'email' | 'sms' | 'webhook'
  readonly createdAt: number
  readonly organizationId: string
  /** Only for a message; null for a webhook. */
  readonly jobId: string | null
  readonly seal: string | null
  /** Only for a webhook; null for a message. */
  readonly scope: string | null
  readonly target: string | null
  readonly activityId: string | null
  readonly revision: number | null
}

/** A job as read from the store. */
export type JobRecord = NewJob & {
  readonly sequence: number
  readonly attempts: number
  readonly failure: string | null
}

export const newJobColumns = {
  orderingKey: 'lane',
  kind: 'kind',
  createdAt: 'created_at',
  organizationId: 'organization_id',
  jobId: 'errand_id',
  seal: 'seal',
  scope: 'scope',
  target: 'target',
  activityId: 'activity_id',
  revision: 'revision',
} as const satisfies Record<keyof NewJob, string>

export const jobColumns = {
  sequence: 'sequence',
  attempts: 'attempts',
  failure: 'failure',
  ...newJobColumns,
} as const satisfies Record<keyof JobRecord, string>
