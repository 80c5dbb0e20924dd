import { Component, type ComponentChildren } from 'preact'
import { Problem } from './problem.tsx'

/** Shows what is in it, or why that cannot be shown: never nothing. */
export class Guarded extends Component<
  { readonly children: ComponentChildren },
  { readonly error?: unknown }
> {
  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Problem error={error} again={() => this.setState({ error: undefined })} />
  }
}
