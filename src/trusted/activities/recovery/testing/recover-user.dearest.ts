// One text, which is read, hashed and verified once.
export { fixture as dearest } from './recover-user.fixture.ts'
