export function JourneyPage() {
  return null;
}
