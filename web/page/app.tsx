export function App() {
  return <main>Claude Code sessions</main>;
}
