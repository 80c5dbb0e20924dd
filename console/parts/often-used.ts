// What most screens show beside the approvals: one file for all of them, and an approval stays as small as it was
// (`console/build.ts`).
import './choice.tsx'
import './outcome.tsx'
import './page-turner.tsx'
import './time-of.ts'
