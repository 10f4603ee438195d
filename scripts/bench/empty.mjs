// Nothing: what a runtime takes to start and to end.
export {};
