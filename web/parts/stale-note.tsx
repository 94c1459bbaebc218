/** Says why buttons do nothing while the page is not connected. They point to it with `aria-describedby`. */
export function StaleNote({ id, actions }: { readonly id: string; readonly actions: string }) {
  return (
    <p id={id} class="stale-note">
      Not connected. {actions} once the page is up to date.
    </p>
  );
}
