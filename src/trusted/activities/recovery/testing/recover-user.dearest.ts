// One text, which is read, hashed and verified once.
export { world as dearest } from './recover-user.world.ts'
