// What most screens show, and what most files use, is loaded with the page: what the bundler makes of each set of files
// that share a part is more in all (`console/build.ts`).
import '../../frames/base/buffer.ts'
import '../../src/trusted/base/bytes.ts'
import '../session/use-changes.ts'
import '../words/moment.ts'
import './back-to.tsx'
import './cards.tsx'
import './confirmed.tsx'
import './fact-list.tsx'
import './facts.tsx'
import './id.tsx'
import './noted.tsx'
import './status.tsx'
