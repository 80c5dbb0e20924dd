import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, uuid } from '../../catalogue/shape.ts'

const result = object({ organizationId: uuid, organizationName: label })

export const updateOrganizationName = defineActivity({
  operation: 'update_organization_name',
  summary: 'Rename the organization',
  forms: form('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', object({ organizationName: label }), {
    key: 'updateOrganizationNameResult',
    shape: result,
  }),
  resource: 'ORGANIZATION',
  action: 'UPDATE',
  authority: { kind: 'rootQuorum' },
  amends: true,
  fails: [],
  example: {
    intent: { organizationName: 'Example Holding' },
    result: {
      organizationId: '0198c5a0-7d3c-7000-8000-000000000001',
      organizationName: 'Example Holding',
    },
  },

  execute({ intent: { organizationName }, charter }) {
    return {
      result: { organizationId: charter.organizationId, organizationName },
      charter: { ...charter, organizationName },
    }
  },
})
