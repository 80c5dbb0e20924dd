export { aVote as world } from './a-vote.ts'
