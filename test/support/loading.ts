/** The name of what a process of tests begins with; it says nothing of the service and is not counted. */
export const LOADING = 'every file loads'
